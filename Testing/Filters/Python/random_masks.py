"""Random masks, the same in every run unless SPANWISE_TEST_SEED is set. Tests print the seed where they fail."""

import os

import numpy as np

SEED = int(os.environ.get("SPANWISE_TEST_SEED", "20240511"))
SHAPES = [(1, 1), (1, 9), (9, 1), (17, 23), (40, 31)]
SHAPES += [(1, 1, 1), (1, 5, 6), (5, 1, 6), (5, 6, 1), (7, 8, 9), (12, 5, 14)]


def masks(*densities):
    """(what it is, a mask) for each shape and density, 2D and 3D: thin ones, empty ones, and full ones."""
    random = np.random.default_rng(SEED)
    for shape in SHAPES:
        for density in densities or (0.0, 0.1, 0.5, 0.9, 1.0):
            mask = random.random(shape) < density
            yield dict(seed=SEED, shape=shape, density=density), mask
