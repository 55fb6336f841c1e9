"""The pictures of the puzzles: coins, boards, rooms and so on, drawn the same wherever they occur."""
