"""The targets of a run: ours is ahead on every set, and several times as fast as the fastest rival."""

from .methods import YARDSTICK
from .tables import ratio, speed

# Minimum speed relative to the fastest rival, on every set.
TIMES = 4.0


def missed(report):
    """Missed targets, one line each. Only our first preset counts: the recommended one."""
    about, results = report["about"], report["sets"]
    if not about["ours"]:
        return ["none of our presets was measured"]
    name = about["ours"][0]
    rivals = [method for method in about["methods"] if method not in about["ours"]]
    lines = [f"not compared with {rival}: {why}" for rival, why in about["missing"]]
    for result in results:
        methods = result["methods"]
        lines += [f"{result['set']}: {rival} gave no answers" for rival in [name, *rivals] if rival not in methods]
        if name not in methods:
            continue
        mine = methods[name]["f1"]
        ahead = [rival for rival in rivals if rival in methods and methods[rival]["f1"] >= mine]
        lines += [f"{result['set']}: F1 of {name} is {mine:.4f}, of {rival} {methods[rival]['f1']:.4f}" for rival in ahead]
        times = ratio(speed(result, name), speed(result, YARDSTICK))
        if times is None:
            lines.append(f"{result['set']}: speed was not compared with {YARDSTICK}")
        elif times < TIMES:
            lines.append(f"{result['set']}: {name} is {times:.1f} times {YARDSTICK}, target {TIMES:g}")
    return lines
