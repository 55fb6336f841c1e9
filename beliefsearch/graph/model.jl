# Once before: import Pkg; Pkg.add(["POMDPs", "POMDPTools", "QuickPOMDPs"])
using POMDPs, POMDPTools, QuickPOMDPs

# Reads what `beliefsearch export` has written, not every file in Cassandra's format. Of two lines the later one holds.
function read_model(path)
    lines = readlines(path)
    function words(key)
        place = findfirst(line -> startswith(line, key), lines)
        return place === nothing ? String[] : String.(split(lines[place][length(key)+1:end]))
    end
    S, A, O = words("states: "), words("actions: "), words("observations: ")
    tables = Dict(kind => Dict{NTuple{3,String},Float64}() for kind in ("T", "O", "R"))
    for line in lines
        found = match(r"^([TOR]): (\S+) : (\S+)(?: : (\S+))?(?: : \*)? (\S+)$", line)
        found === nothing && continue
        kind, action, state, column, number = found.captures
        columns = kind == "R" ? ["*"] : column !== nothing ? [column] : kind == "T" ? S : O
        value = number == "uniform" ? 1 / length(columns) : parse(Float64, number)
        for a in (action == "*" ? A : [action]), s in (state == "*" ? S : [state]), c in columns
            tables[kind][(a, s, c)] = value
        end
    end
    unit = words("values: ") == ["cost"] ? -1 : 1
    T(s, a, sp) = get(tables["T"], (a, s, sp), 0.0)
    Z(a, sp, o) = get(tables["O"], (a, sp, o), 0.0)
    R(s, a) = unit * get(tables["R"], (a, s, "*"), 0.0)
    factor = parse(Float64, only(words("discount: ")))
    start = [words("start: "); words("start include: ")]
    if issubset(start, S)
        first_belief = SparseCat(start, fill(1 / length(start), length(start)))
    else
        first_belief = SparseCat(S, parse.(Float64, start))
    end
    isempty(O) && return DiscreteExplicitMDP(S, A, T, R, factor, first_belief)
    return DiscreteExplicitPOMDP(S, A, O, T, Z, R, factor, first_belief)
end

model = read_model(splitext(@__FILE__)[1] * ".pomdp")

# For example: using SARSOP; policy = solve(SARSOPSolver(policy_filename = "model.policy"), model)
# and of the .pomdp file beside this one: beliefsearch verify --policy model.policy --problem FILE.pomdp
