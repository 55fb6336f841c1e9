(* The theorems behind the tables `lower` and `plan` of verify/checker.py, proved in Coq.

       coqc tables.v

   The conditions are those that `check_lower` and `check_plan` test, by the same names. Costs are whole numbers: the
   checker's fractions times a common denominator. *)

Require Import ZArith Lia.
Open Scope Z_scope.

Section Game.

Variables State Action Percept : Type.
Definition Belief := State -> Prop.

(* What an action may lead to, and with which percept; where it applies; and what it costs there. *)
Variable step : Action -> State -> Percept -> State -> Prop.
Variable applies : Action -> State -> Prop.
Variable cost : Action -> State -> Z.
Variable goal : Belief -> Prop.  (* the goal sets *)
Hypothesis costs_are_not_negative : forall a s, 0 <= cost a s.

Definition inside (B C : Belief) := forall s, B s -> C s.
Definition some_state (B : Belief) := exists s, B s.
Definition won (B : Belief) := exists G, goal G /\ inside B G.
Definition outcome (a : Action) (B : Belief) (o : Percept) : Belief := fun t => exists s, B s /\ step a s o t.

(* A plan does an action and goes on by what is perceived. *)
Inductive plan := Stop | Do (a : Action) (next : Percept -> plan).

(* A plan wins from a belief for at most c; an action costs k, which is at least what it costs in any of the states. *)
Inductive wins : plan -> Belief -> Z -> Prop :=
| wins_stop : forall (B : Belief) c, won B -> 0 <= c -> wins Stop B c
| wins_do : forall a next (B : Belief) k c,
    (forall s, B s -> applies a s) ->
    (forall s, B s -> cost a s <= k) ->
    k <= c ->
    (forall o, some_state (outcome a B o) -> wins (next o) (outcome a B o) (c - k)) ->
    wins (Do a next) B c.

Lemma outcome_grows : forall a B C o, inside B C -> inside (outcome a B o) (outcome a C o).
Proof. intros a B C o H t (s & Hs & Ht). exists s. auto. Qed.

Lemma nothing_is_earned : forall p B c, wins p B c -> some_state B -> 0 <= c.
Proof.
  intros p B c [B' c' _ H | a next B' k c' _ Hk Hc _] (s & Hs); trivial.
  specialize (Hk s Hs). specialize (costs_are_not_negative a s). lia.
Qed.

(* Values of the table `lower`: a number, or None, which is infinite. *)
Definition most (v : option Z) (c : Z) := match v with Some n => n <= c | None => False end.
Definition plus (k : Z) (v : option Z) := match v with Some n => Some (k + n) | None => None end.
Definition at_most (v w : option Z) :=
  match v, w with _, None => True | Some n, Some m => n <= m | None, Some _ => False end.
Definition positive (v : option Z) := match v with Some n => 0 < n | None => True end.

Lemma below_what_is_below : forall v w c, at_most v w -> most w c -> most v c.
Proof. intros [n|] [m|] c; simpl; lia. Qed.

Section Lower.

Variable entry : Belief -> option Z -> Prop.

(* What `check_lower` tests of an entry whose value is above 0, for each action that applies in all of it. *)
Definition cost_is_enough C v a := exists s, C s /\ at_most v (Some (cost a s)).
Definition named_entry C v a := exists s o D w,
  C s /\ entry D w /\ some_state D /\ inside D (outcome a C o) /\ at_most v (plus (cost a s) w).
Definition leaves_a_part C v a := exists D w o,
  entry D w /\ some_state D /\ inside D C /\ at_most v (plus 1 w) /\ forall s, D s -> cost a s = 1 /\ step a s o s.

Hypothesis entries_hold : forall C v, entry C v -> positive v ->
  ~ won C /\
  forall a, (forall s, C s -> applies a s) -> cost_is_enough C v a \/ named_entry C v a \/ leaves_a_part C v a.

(* No plan wins for less than the value of an entry from any belief that includes it. *)
Theorem lower : forall p B c, wins p B c ->
  forall C v, entry C v -> some_state C -> inside C B -> most v c.
Proof.
  intros p B c H. induction H as [B c HB Hc | a next B k c Happly Hk Hkc Hnext IH]; intros C v HC Hsome Hin.
  - destruct v as [n|]; simpl.
    + destruct (Z_le_gt_dec n 0); [lia|]. destruct (entries_hold C (Some n) HC) as [Hnot _]; [simpl; lia|].
      exfalso. apply Hnot. destruct HB as (G & HG & HBG). exists G. split; trivial. intros s Hs. auto.
    + destruct (entries_hold C None HC I) as [Hnot _].
      apply Hnot. destruct HB as (G & HG & HBG). exists G. split; trivial. intros s Hs. auto.
  - assert (Hcases : positive v \/ (exists n, v = Some n /\ n <= 0)).
    { destruct v as [n|]; simpl; [|auto]. destruct (Z_le_gt_dec n 0); [right; eauto | left; lia]. }
    destruct Hcases as [Hpos | (n & -> & Hn)].
    2: { simpl. destruct Hsome as (s & Hs). specialize (Hk s (Hin s Hs)). specialize (costs_are_not_negative a s). lia. }
    destruct (entries_hold C v HC Hpos) as [_ Hreason].
    destruct (Hreason a) as [Henough | [Hnamed | Hpart]]; [auto | | |].
    + destruct Henough as (s & Hs & Hv). specialize (Hk s (Hin s Hs)).
      unfold most, at_most in *. destruct v as [n|]; lia.
    + destruct Hnamed as (s & o & D & w & Hs & HD & HsomeD & HinD & Hv).
      assert (HDB : inside D (outcome a B o)) by (intros t Ht; eapply outcome_grows; eauto).
      assert (Hw : most w (c - k)). { eapply (IH o); eauto. destruct HsomeD as (t & Ht). exists t. auto. }
      specialize (Hk s (Hin s Hs)). unfold most, at_most, plus in *. destruct v as [n|], w as [m|]; try lia; tauto.
    + destruct Hpart as (D & w & o & HD & HsomeD & HinD & Hv & Hstays).
      assert (HDB : inside D (outcome a B o)).
      { intros s Hs. exists s. destruct (Hstays s Hs). split; auto. }
      assert (Hw : most w (c - k)). { eapply (IH o); eauto. destruct HsomeD as (t & Ht). exists t. auto. }
      destruct HsomeD as (s & Hs). destruct (Hstays s Hs) as [H1 _]. specialize (Hk s (Hin s (HinD s Hs))).
      unfold most, at_most, plus in *. destruct v as [n|], w as [m|]; try lia; tauto.
Qed.

End Lower.

Section Plan.

(* The nodes of a table `plan` without ranks that have a finite value: members, an option or none, and the value. *)
Variable count : nat.
Variable finite : nat -> Prop.
Variable members : nat -> Belief.
Variable option_of : nat -> option (Action * (Percept -> nat)).
Variable value : nat -> Z.

(* What the reading of files makes sure of. *)
Hypothesis something_happens : forall a s, applies a s -> exists o t, step a s o t.
Hypothesis nodes_have_members : forall j, (j < count)%nat -> some_state (members j).

(* What `check_plan` tests. *)
Definition end_holds j := won (members j) /\ 0 <= value j.
Definition option_holds j a next := exists k,
  (forall s, members j s -> applies a s) /\
  (forall s, members j s -> cost a s <= k) /\
  forall o, some_state (outcome a (members j) o) ->
    (j < next o)%nat /\ (next o < count)%nat /\ finite (next o) /\
    inside (outcome a (members j) o) (members (next o)) /\ k + value (next o) <= value j.

Hypothesis nodes_hold : forall j, (j < count)%nat -> finite j ->
  match option_of j with None => end_holds j | Some (a, next) => option_holds j a next end.

Fixpoint tree (fuel j : nat) : plan :=
  match fuel, option_of j with
  | S rest, Some (a, next) => Do a (fun o => tree rest (next o))
  | _, _ => Stop
  end.

Lemma wins_for_more : forall p B c, wins p B c -> forall d, c <= d -> wins p B d.
Proof.
  intros p B c H. induction H; intros d Hd.
  - apply wins_stop; [trivial | lia].
  - apply wins_do with k; trivial; [lia | intros o Ho; apply (H3 o Ho); lia].
Qed.

Lemma no_value_is_negative : forall fuel j, (j < count)%nat -> finite j -> (count - j <= fuel)%nat -> 0 <= value j.
Proof.
  induction fuel as [|fuel IH]; intros j Hj Hfin Hfuel; [lia|].
  specialize (nodes_hold j Hj Hfin). destruct (option_of j) as [[a next]|].
  - destruct nodes_hold as (k & Happly & Hk & Hnext). destruct (nodes_have_members j Hj) as (s & Hs).
    destruct (something_happens a s (Happly s Hs)) as (o & t & Ht).
    destruct (Hnext o) as (Hlater & Hin & Hfinite & _ & Hpaid); [exists t, s; auto|].
    specialize (IH (next o) Hin Hfinite ltac:(lia)). specialize (Hk s Hs).
    specialize (costs_are_not_negative a s). lia.
  - destruct nodes_hold. trivial.
Qed.

(* From any belief inside a node the plan wins for at most the value of the node. *)
Theorem plan_wins : forall fuel j, (j < count)%nat -> finite j -> (count - j <= fuel)%nat ->
  forall B, inside B (members j) -> wins (tree fuel j) B (value j).
Proof.
  induction fuel as [|fuel IH]; intros j Hj Hfin Hfuel B HB; [lia|].
  pose proof (nodes_hold j Hj Hfin) as Hnode. simpl. destruct (option_of j) as [[a next]|].
  - destruct Hnode as (k & Happly & Hk & Hnext). apply wins_do with k; auto.
    + destruct (nodes_have_members j Hj) as (s & Hs). destruct (something_happens a s (Happly s Hs)) as (o & t & Ht).
      destruct (Hnext o) as (_ & Hin & Hfinite & _ & Hpaid); [exists t, s; auto|].
      pose proof (no_value_is_negative (count - next o) (next o) Hin Hfinite (le_n _)). lia.
    + intros o Ho. assert (Hbig : inside (outcome a B o) (outcome a (members j) o)) by (apply outcome_grows; trivial).
      assert (Hsome : some_state (outcome a (members j) o)). { destruct Ho as (t & Ht). exists t. auto. }
      destruct (Hnext o Hsome) as (Hlater & Hin & Hfinite & Hinside & Hpaid).
      apply wins_for_more with (value (next o)); [|lia].
      apply IH; [trivial | trivial | lia | intros t Ht; auto].
  - destruct Hnode as [(G & HG & HMG) H0]. apply wins_stop; trivial. exists G. split; trivial. intros s Hs. auto.
Qed.

End Plan.

Section Ranks.

(* With ranks: whoever does an option of each node now and then may come from each member to an end. *)
Variable count : nat.
Variable members : nat -> Belief.
Variable option_of : nat -> Action -> (Percept -> nat) -> Prop.
Variable is_end : nat -> Prop.
Variable rank : nat -> State -> nat.

Hypothesis some_rank_falls : forall j s, members j s -> is_end j \/
  exists a next o t, option_of j a next /\ step a s o t /\ members (next o) t /\ (rank (next o) t < rank j s)%nat.

Inductive may_end : nat -> nat -> State -> Prop :=
| there : forall n j s, is_end j -> may_end n j s
| on : forall n j s a next o t, option_of j a next -> step a s o t -> may_end n (next o) t -> may_end (S n) j s.

(* It takes no more actions than the rank; so the chance of an end within that many is above some number. *)
Theorem an_end_stays_near : forall n j s, members j s -> (rank j s <= n)%nat -> may_end n j s.
Proof.
  induction n as [|n IH]; intros j s Hs Hn; destruct (some_rank_falls j s Hs) as [He | (a & next & o & t & Ho & Ht & Hm & Hr)];
    try (apply there; assumption); [lia|].
  eapply on; eauto. apply IH; [trivial | lia].
Qed.

End Ranks.

End Game.

Print Assumptions lower.
Print Assumptions plan_wins.
Print Assumptions an_end_stays_near.
