"""A model of what several devices do together, from rows of SpanwiseMultiGpu. A step on n ranks takes, by that of one
rank and measured constants:

    in turn      t(1) share + exchanges alpha + bytes / beta + (words + reductions) reduction
    overlapped   max(t(1) share, alpha + bytes / beta) + step: the message travels while inner cells are computed
    iterated     launches launch + (t(1) - launches(1) launch) share + what exchanges and reductions take, as in turn

share is the part of a rank of what one rank did. On more ranks than were measured, a rank in the middle has two
neighbours. A reduction, and what ranks tell each other in words, takes log2(n) times as long as on two; of overlapped
steps only what these take longer than on the ranks that were measured is seen.
"""

import math
from dataclasses import dataclass

from figures import Error, rounded

# Networks are no part of a run on one machine: what is assumed of a port of 400 Gb/s for each device.
NETWORK_ALPHA = 5e-6
NETWORK_BETA = 50e9
PREDICTED = (8, 64, 1024, 10000)


@dataclass
class Modelled:
    """How a row is modelled, and what else is known of it."""
    kind: str  # "overlapped", "in turn", "iterated"
    least: str = ""  # the row of the same with next to no work, for the time of a launch
    planes: int = 0  # that are dealt out; 0: each rank gets as many
    neighbours: int = 1  # on two ranks; two on more
    shrinks: bool = False  # whether what is sent gets less with the surface of a part


MODELS = {
    "lattice/D3Q27, 192^3": Modelled("overlapped", planes=192),
    "lattice/D3Q27, 208^3": Modelled("overlapped", planes=208),
    "lattice/D3Q19, 400^3 a rank": Modelled("overlapped"),
    "gas/one level, 10 M cells a rank": Modelled("in turn", neighbours=2),
    "gas/4 levels, 10 M cells a rank": Modelled("in turn", neighbours=2),
    "multipoles/10 M points a rank": Modelled("in turn"),
    "arrival times/grid, 256^3": Modelled("iterated", "arrival times/grid, 32^3", planes=256),
    "arrival times/grid, 512^3": Modelled("iterated", "arrival times/grid, 32^3", planes=512),
    "arrival times/3.1 M tetrahedra": Modelled("iterated", "arrival times/25 k tetrahedra", planes=3_000_000,
                                               shrinks=True),
    "arrival times/12.6 M tetrahedra": Modelled("iterated", "arrival times/25 k tetrahedra", planes=12_000_000,
                                                shrinks=True),
    "sets/union": Modelled("in turn", planes=1280),
    "sets/dilation": Modelled("in turn", planes=1280),
}


class Rows:
    """Rows by what they measure and the number of ranks."""

    def __init__(self, rows):
        self.by_name = {}
        for row in rows:
            if row["theme"] != "machine":
                self.by_name.setdefault(f"{row['theme']}/{row['name']}", {})[row["ranks"]] = row


class Constants:
    """What messages, reductions and steps take, of the run on the fewest ranks that send something; in seconds."""

    def __init__(self, rows):
        sizes = {int(name.removeprefix("messages/")): of for name, of in rows.by_name.items()
                 if name.startswith("messages/") and name != "messages/reduction"}
        self.ranks = min((ranks for of in sizes.values() for ranks in of), default=0)
        if not self.ranks:
            raise Error("there is no model without messages: measure that theme on two ranks or more")
        least, most = min(sizes), max(sizes)
        self.alpha = sizes[least][self.ranks]["seconds"]
        self.beta = (most - least) / (sizes[most][self.ranks]["seconds"] - self.alpha)
        self.reduction = rows.by_name["messages/reduction"][self.ranks]["seconds"] if (
            "messages/reduction" in rows.by_name) else 0.0
        small = rows.by_name.get("lattice/D3Q27, 32^3", {})
        self.step = 0.0
        if 1 in small and self.ranks in small:
            self.step = max(0.0, small[self.ranks]["seconds"] - max(self.alpha, small[1]["seconds"]))


def seconds_of(name, model, rows, constants, ranks, network=False):
    """What the model says of a row on so many ranks; None where it needs a row that is missing."""
    of = rows.by_name.get(name, {})
    known = max((n for n in of if 1 < n <= ranks), default=None)
    if 1 not in of or known is None or (model.least and 1 not in rows.by_name.get(model.least, {})):
        return None
    one, some = of[1], of[known]
    most = max(1, math.ceil(model.planes / ranks)) if model.planes else 0
    if model.planes and ranks > model.planes:
        return None
    share = most / model.planes if model.planes else 1.0
    if ranks == known:
        share = some["units"] / (ranks * one["units"])
    more = 2.0 if ranks > known == 2 and model.neighbours == 1 else 1.0
    surface = (known / ranks) ** (2.0 / 3.0) if model.shrinks else 1.0
    rounds = math.log2(ranks) / math.log2(constants.ranks)  # of a reduction, by those of the measured one
    waits = math.log2(ranks) / math.log2(known)  # the words of a step, by those that were counted
    alpha = constants.alpha + (NETWORK_ALPHA if network else 0.0)
    beta = min(constants.beta, NETWORK_BETA) if network else constants.beta
    reduction = constants.reduction + (NETWORK_ALPHA if network else 0.0)
    work = one["seconds"] * share
    transfer = more * surface * some["bytes"] / beta
    if model.kind == "overlapped":
        words = some["words"] * reduction * (waits - 1.0)
        return max(work, alpha + transfer) + constants.step + words
    seconds = some["exchanges"] * alpha + transfer + reduction * (
        waits * some["words"] + rounds * some["collectives"])
    if model.kind == "iterated":
        least = rows.by_name[model.least][1]
        launch = min(least["seconds"] / least["launches"], one["seconds"] / one["launches"])
        waiting = one["launches"] * launch
        return some["launches"] * launch + (one["seconds"] - waiting) * share + seconds
    return work + seconds


def predictions(name, model, rows, constants):
    """What the model says of more ranks: how much of the rate of one rank each of them has."""
    one = rows.by_name[name].get(1)
    fields = {}
    for way, network in (("predicted", False), ("network", True)):
        for ranks in PREDICTED:
            seconds = seconds_of(name, model, rows, constants, ranks, network)
            if seconds:
                ideal = one["seconds"] / (ranks if model.planes else 1)
                fields[f"{ranks} {way}"] = rounded(ideal / seconds)
    return fields
