"""Small files of the field, and maps, machines and words, which the fuzzing and the soak read."""

from __future__ import annotations

# A robot that has lost its way in a corridor: at one end is a pit, at the other the exit; its wheels slip.
PRISM = """\
pomdp // a robot in a dark corridor: it starts somewhere, wheels slip, one end is a pit, the other the exit
observables bumped endobservables
const int N = 3;
const double slip = 0.1;
formula out = at = N;
observable "light" = out ? 2 : at >= N - 1 ? 1 : 0;

module robot
    placed : bool;
    at : [0..N] init 1;
    bumped : bool;
    [place] !placed -> 1/2 : (placed'=true) & (at'=1) + 1/2 : (placed'=true) & (at'=2);
    [forth] placed & at < N -> 1-slip : (at'=at+1) & (bumped'=false) + slip : (bumped'=false);
    [back] placed & at < N -> (at'=max(at-1,0)) & (bumped'=at=0);
    [wait] placed & at < N -> true;
endmodule

rewards "steps"
    [forth] true : 1;
    [back] true : 1;
    [wait] true : 1;
    placed : 1/2;
endrewards

rewards "" endrewards
label "goal" = out;
label "notbad" = at > 0;
label "second" = at = 2;
"""

POMDP = """\
# the weather, which is heard and not seen
discount: 0.9
values: reward
states: sun rain
actions: stay go
observations: wet dry
start: 0.5 0.5

T: stay
0.7 0.3
0.1 9.0E-1
T: go uniform
T: go : sun : rain 1.0
T: go : sun : sun 0
O: stay : sun : dry 0.875
O: stay : sun : wet 0.125
O: stay : rain
0.5 0.5
O: go uniform
R: stay : sun : * : * -2.5
R: * : rain : sun : * 10
R: go : rain : rain : dry 1
"""

# A machine that takes coins, and sometimes fails.
MEALY = """\
digraph "coffee" { // drawn by hand
    node [shape=circle]; __start0 [label="" shape=none];
    __start0 -> off;
    off -> on [label="coin / beep"];
    off -> off [label="push/"];
    subgraph cluster_on {
        edge [label=<coin<br/>/<i>back</i>>]; on -> on
    }
    on -> off [label="push/coffee", color=brown];
    on -> "out of order" [label="push/fail"]; /* it stays there */
    "out of order" -> "out of order" [label="coin/back"]
    "out of order" -> "out of order" [label="push/"]
}
"""

MACHINE = "2 4\n1 0\n2 1\n3 2\n0 0\n"
MAP = "....\n.##.\n...#\n"
WORDS = "apple\nangle\nample\nmaple\nstone\nstore\n"

KISS = """\
.start_kiss
.i 2
.o 2
.p 6
.s 3
.r red
-0 red red 0- # nobody waits
-1 red green 10
0- green green 1-
1- green yellow -1
-- yellow * 00
11 * red 01
.end_kiss
"""

ICE = """\
digraph ice { __start0 -> s0; node [shape=box]
    s0 [label=home]; s1 [label=ditch]; s2 [label="work__warm"];
    s0 -> s1 [label="go:0.25"]; s0 -> s2 [label="go:0.75"];
    s1 -> s1 [label="go:1.0"]; s2 -> s2 [label="go:1"];
    s0 -> s0 [label="walk:5e-01"]; s0 -> s2 [label="walk:.5"]; s1 -> s0 [label="walk:1.0"];
}
"""
