"""What a run has to show: ours ahead on every set, and so many times the speed of the fastest rival."""

from .methods import YARDSTICK
from .tables import ratio, speed

# How many times the yardstick's speed, on every set.
TIMES = 4.0


def missed(report):
    """What was not reached, a line each. The preset that counts is the first of ours: the recommended one."""
    about, results = report["about"], report["sets"]
    if not about["ours"]:
        return ["none of our presets took part"]
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
            lines.append(f"{result['set']}: {name} is {times:.1f} times {YARDSTICK}, wanted {TIMES:g}")
    return lines
