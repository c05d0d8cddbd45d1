"""An environment for learning: the reward of a move is what the true distance falls by."""

import numpy as np

import puzzledb


class Puzzle:
    """`reset` and `step` as in Gymnasium. Actions are 0 to 3: U, D, L, R."""

    def __init__(self, distance=10, seed=0):
        self.oracle = puzzledb.Oracle("123456780")
        self.distance, self.seed = distance, seed

    def reset(self):
        self.seed += 1
        self.board = self.oracle.sample(1, distance=self.distance, seed=self.seed)[0]
        return self.board.copy(), {"distance": self.distance}

    def step(self, action):
        before = self.oracle.distance(self.board)
        blank = int(np.flatnonzero(self.board == 0)[0])
        row, column = blank // 3 + (-1, 1, 0, 0)[action], blank % 3 + (0, 0, -1, 1)[action]
        if 0 <= row < 3 and 0 <= column < 3:
            self.board[[blank, 3 * row + column]] = self.board[[3 * row + column, blank]]
        after = self.oracle.distance(self.board)
        return self.board.copy(), before - after, after == 0, False, {"distance": after}


def check(env, episodes=100):
    """Follows the masks of closer moves: each episode ends at the goal, with its distance as its reward."""
    for _ in range(episodes):
        board, info = env.reset()
        total, ended = 0, False
        while not ended:
            mask = int(env.oracle.moves(board))
            board, reward, ended, _, _ = env.step(mask.bit_length() - 1)
            total += reward
        assert total == info["distance"] == env.distance


check(Puzzle())
print("100 episodes of 10 moves end at the goal with a reward of 10")
