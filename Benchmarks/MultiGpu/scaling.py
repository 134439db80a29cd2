"""What rows of SpanwiseMultiGpu say about several devices, with what the model says, as figures and as tables."""

from figures import Error, rounded
from model import MODELS, PREDICTED, Constants, Rows, predictions, seconds_of

COUNTS = ("exchanges", "pieces", "words", "collectives")  # of a step of a rank


def results_of(rows):
    """The figures of a file: {name: {"2 units/s": ...}}, with those of the model."""
    rows = Rows(rows)
    results = {}
    for name, of in rows.by_name.items():
        fields = results.setdefault(name, {})
        if name.startswith("messages/"):
            fields |= {f"{ranks} us": rounded(1e6 * row["seconds"]) for ranks, row in sorted(of.items())}
            continue
        for ranks, row in sorted(of.items()):
            fields[f"{ranks} units/s"] = rounded(row["units"] / row["seconds"])
            if ranks > 1 and 1 in of:
                fields[f"{ranks} efficiency"] = rounded(fields[f"{ranks} units/s"] / ranks / fields["1 units/s"])
        last = of[max(of)]
        if "stencils" in name:  # of which only layouts differ
            if last["ranks"] > 1 and "192" in name:
                fields["pieces"] = last["pieces"]
            continue
        fields |= {"launches": last["launches"], "MB held": rounded(1e-6 * last["memory"])}
        if last["ranks"] > 1:
            fields |= {field: last[field] for field in COUNTS} | {"MB sent": rounded(1e-6 * last["bytes"])}
    try:
        constants = Constants(rows)
    except Error:
        return results
    results["constants"] = {"alpha, us": rounded(1e6 * constants.alpha), "beta, GB/s": rounded(1e-9 * constants.beta),
                            "reduction, us": rounded(1e6 * constants.reduction),
                            "step, us": rounded(1e6 * constants.step)}
    for name, model in MODELS.items():
        for ranks, row in sorted(rows.by_name.get(name, {}).items()):
            modelled = seconds_of(name, model, rows, constants, ranks) if ranks > 1 else None
            if modelled:
                results[name][f"{ranks} model"] = rounded(modelled / row["seconds"])
                results[name]["MB gathered"] = rounded(1e-6 * row["bytes gathered"] * PREDICTED[-1] / ranks)
        if name in results:
            results[name] |= predictions(name, model, rows, constants)
    return results


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def text(value, scale=1.0, form="{:.4g}"):
    return "" if value is None else form.format(value * scale)


def report(results):
    """Tables of messages, rates, what is sent, and the model."""
    def ranks_with(suffix):
        return sorted({int(ranks) for fields in results.values() for field in fields
                       if (ranks := field.removesuffix(suffix)) != field and ranks.isdecimal()})

    def rows(names, *columns):
        return [[name.removeprefix("messages/"), *(text(results[name].get(field), *how) for field, *how in columns)]
                for name in names]

    percent = (100.0, "{:.0f} %")
    sizes = [name for name in results if name.startswith("messages/")]
    work = [name for name in results if name not in sizes and name != "constants"]
    many = ranks_with(" us")
    rated = ranks_with(" units/s")
    parts = []
    if sizes:
        parts.append(table(["bytes to each neighbour, us", *(f"on {n}" for n in many)],
                           rows(sizes, *((f"{n} us",) for n in many))))
    if work:
        parts.append(table(["million a second", *(f"on {n}" for n in rated), *(f"efficiency on {n}" for n in rated[1:])],
                           rows(work, *((f"{n} units/s", 1e-6) for n in rated),
                                *((f"{n} efficiency", *percent) for n in rated[1:]))))
        parts.append(table([f"a step of a rank of {rated[-1]}", "launches", *COUNTS, "MB sent", "MB held"],
                           rows([name for name in work if "launches" in results[name]], ("launches",), *((field,) for field in COUNTS), ("MB sent",), ("MB held",))))
    if "constants" in results:
        parts.append("; ".join(f"{name}: {value:g}" for name, value in results["constants"].items()))
        modelled = [name for name in work if name in MODELS]
        parts.append(table(["model", *(f"of measured on {n}" for n in rated[1:]),
                            *(f"efficiency on {n}" for n in PREDICTED), *(f"by a network on {n}" for n in PREDICTED),
                            f"MB gathered on {PREDICTED[-1]}"],
                           rows(modelled, *((f"{n} model", 1.0, "{:.2f}") for n in rated[1:]),
                                *((f"{n} {way}", *percent) for way in ("predicted", "network") for n in PREDICTED),
                                ("MB gathered",))))
    return "\n\n".join(parts)
