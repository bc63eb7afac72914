"""Checks the golden files with an engine of its own, written from the specification alone.

It shares nothing with the TypeScript: Python's hashlib, zoneinfo and mpmath do the work, with 60 digits where the
engine has 53 bits. `pip install mpmath` (and `tzdata`, where the system has no zone files), then
`python3 vectors/check.py`; other golden files may be named as arguments. `--engine` answers the conformance kit:
`node vectors/kit.js -- python3 vectors/check.py --engine`.
"""

import hashlib
import hmac
import json
import pathlib
import re
import sys
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from zoneinfo import ZoneInfo

from mpmath import erfc, erfinv, expm1, floor, log1p, mp, mpf, sqrt

mp.dps = 60
MASK = 2**64 - 1
WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
# How far a place must lie from the next second for 53 bits and 60 digits to agree on it for certain.
MARGIN = mpf(10) ** -7


def read_instant(text):
    return int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp())


def print_instant(seconds):
    return (datetime(1970, 1, 1) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_duration(text):
    parts = re.findall(r"(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)", text)
    assert "".join(number + unit for number, unit in parts) == text, text
    return sum(int(Fraction(number) * UNITS[unit]) for number, unit in parts)


def local_time(seconds, zone):
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)).astimezone(zone)


def window_of(nominal, mode, length):
    start = {"after": 0, "around": -(length // 2), "center": -(length // 2), "before": -length}[mode]
    return nominal + start // 10**9, nominal + (start + length) // 10**9


def period_key(strategy, nominal, zone):
    if strategy == "stable":
        return print_instant(nominal)
    day = local_time(nominal, zone).date()
    if strategy == "daily":
        return day.isoformat()
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def draws(seed_hash):
    """SplitMix64, as fractions of 2^53."""
    state = int(seed_hash[:16], 16)
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        yield mpf(z >> 11) / 2**53


def place(u, name, params, mode, start, nominal, width):
    if name == "uniform":
        return u
    if name == "skewEarly":
        return u ** mpf(params.get("shape", 2))
    if name == "skewLate":
        return 1 - (1 - u) ** mpf(params.get("shape", 2))
    if name == "exponential":
        rate = mpf(params.get("lambda", 1))
        e = -log1p(u * expm1(-rate)) / rate
        return e if params.get("dir", "early") == "early" else 1 - e
    assert name == "normal", name
    mean_name = params.get("mu", "nominal" if mode in ("around", "center") else "mid")
    mean = {"nominal": mpf(nominal - start) / width, "start": mpf(0), "mid": mpf(1) / 2, "end": mpf(1)}[mean_name]
    spread = mpf(read_duration(params["sigma"])) / 10**9 / width if "sigma" in params else mpf(1) / 6
    below = normal_cdf(-mean / spread)
    above = normal_cdf((1 - mean) / spread)
    return mean + spread * normal_quantile(below + u * (above - below))


def normal_cdf(x):
    return erfc(-x / sqrt(2)) / 2


def normal_quantile(p):
    return sqrt(2) * erfinv(2 * p - 1)


def number(text, names, first):
    return names.index(text.upper()) + first if text.upper() in names else int(text)


def in_set(value, text, names=(), first=0, wrap=None):
    for item in text.split(","):
        ends = [number(part, list(names), first) for part in item.split("-")]
        members = range(ends[0], ends[-1] + 1)
        if value in ([n % wrap for n in members] if wrap else members):
            return True
    return False


KRON_ID = bytes.fromhex("8d8d1f1c5a6f4f0e9b7a2a6c1e0b4d57")


def machine_hash(machine_id):
    """As machine-id(5) advises: HMAC-SHA256 keyed by the id, cut to 128 bits, marked as a UUID of version 4."""
    digest = bytearray(hmac.new(bytes.fromhex(machine_id), KRON_ID, hashlib.sha256).digest()[:16])
    digest[6] = digest[6] % 16 + 64
    digest[8] = digest[8] % 64 + 128
    return digest.hex()


def expand(salt, place):
    out, rest = "", salt
    while rest:
        if rest[0] != "%":
            out, rest = out + rest[0], rest[1:]
            continue
        out += {"H": lambda: place["host"], "m": lambda: machine_hash(place["machineId"]), "%": lambda: "%"}[rest[1]]()
        rest = rest[2:]
    return out


def read_curve(text):
    """Steps of a weights file as (start, weight); None if the file has a mistake."""
    steps = []
    for line in text.split("\n"):
        if line.strip() in ("", "start,weight") or line.startswith("#"):
            continue
        start, weight = line.split(",")
        of_day = re.fullmatch(r"(\d\d):(\d\d)", start)
        at = int(of_day[1]) * 3600 + int(of_day[2]) * 60 if of_day else read_instant(start)
        if steps and at <= steps[-1][0]:
            return None
        steps.append((at, Fraction(weight)))
    return bool(of_day), steps


def weights_of_seconds(curve, start, width, zone):
    """The weight of every second of the window, one by one; None where the curve does not reach."""
    of_day, steps = curve
    end = None if of_day else steps[-1][0] + (steps[-1][0] - steps[-2][0])
    for seconds in range(start, start + width + 1):
        if of_day:
            local = local_time(seconds, zone)
            at = local.hour * 3600 + local.minute * 60 + local.second
            passed = [weight for first, weight in steps if first <= at] or [steps[-1][1]]
        else:
            passed = [weight for first, weight in steps if first <= seconds < end] or [None]
        yield passed[-1]


def curve_of(job, start, width, zone):
    """Why the window is spread evenly, or the runs of equal weight: (first second, length, weight)."""
    if job["weights"] is None:
        return "missing", None
    curve = read_curve(job["weights"])
    if curve is None:
        return "unreadable", None
    each = list(weights_of_seconds(curve, start, width, zone))
    if None in each:
        return "stale", None
    if not any(each):
        return "empty", None
    runs = []
    for second, weight in enumerate(each):
        if runs and runs[-1][2] == weight:
            runs[-1][1] += 1
        else:
            runs.append([second, 1, weight])
    return None, runs


def weighted(u, runs, width):
    """The place at which the share u of the whole weight is passed, a millionth of a second inside its run."""
    rest = Fraction(int(u * 2**53), 2**53) * sum(length * weight for _, length, weight in runs)
    for first, length, weight in runs:
        if rest < length * weight:
            inside = min(max(rest / weight, Fraction(1, 2**20)), length - Fraction(1, 2**20))
            found = (first + inside) / (width + 1)
            return mpf(found.numerator) / found.denominator
        rest -= length * weight


def in_calendar(calendar, local, seconds):
    day, clock = local.date().isoformat(), local.replace(tzinfo=None).isoformat()
    return (
        any(first <= day <= last for first, last in calendar.get("days", []))
        or any(first <= clock <= last for first, last in calendar.get("local", []))
        or any(read_instant(first) <= seconds <= read_instant(last) for first, last in calendar.get("instants", []))
    )


def clause_holds(clause, local, seconds, calendars):
    kind, value = clause.split("=", 1)
    if kind == "cal":
        return in_calendar(calendars[value], local, seconds)
    if kind == "hours":
        return in_set(local.hour, value)
    if kind == "dow":
        return in_set(local.isoweekday() % 7, value, WEEKDAYS, 0, 7)
    if kind == "dom":
        return in_set(local.day, value)
    if kind == "months":
        return in_set(local.month, value, MONTHS, 1)
    if kind == "between":
        low, high = value.split("-")
        return low <= local.strftime("%H:%M") <= high
    first, last = (value.split("..") * 2)[:2] if kind == "dates" else (value, value)
    return first <= local.date().isoformat() <= last


def allowed(seconds, zone, only, avoid, calendars):
    local = local_time(seconds, zone)
    kinds = {}
    for clause in only:
        kind = clause.split("=")[0].replace("dates", "date")
        kinds[kind] = kinds.get(kind, False) or clause_holds(clause, local, seconds, calendars)
    return all(kinds.values()) and not any(clause_holds(clause, local, seconds, calendars) for clause in avoid)


def decide(job):
    zone = ZoneInfo(job.get("timezone", "UTC"))
    nominal = read_instant(job.get("nominalTime", job.get("periodStart")))
    mode = job["mode"]
    start, end = window_of(nominal, mode, read_duration(job["window"]))
    key = period_key(job["seedStrategy"], nominal, zone)
    salt = expand(job["salt"], job["place"]) if "place" in job else job["salt"]
    seed_hash = hashlib.sha256(f"{job['identity']}\n{key}\n{salt}".encode()).hexdigest()
    calendars = job.get("calendars", {})
    only, avoid = job.get("only", []), job.get("avoid", [])
    width = end - start
    fallback, runs = curve_of(job, start, width, zone) if "weights" in job else (None, None)
    name = "uniform" if fallback else job["distribution"]
    chosen, attempts, margin = None, 0, mpf(1)
    if width == 0:
        chosen = start if allowed(start, zone, only, avoid, calendars) else None
    else:
        stream = draws(seed_hash)
        while chosen is None and attempts < 64:
            attempts += 1
            u = next(stream)
            x = weighted(u, runs, width) if runs else place(u, name, job.get("params", {}), mode, start, nominal, width)
            x = min(max(x, mpf(0)), 1 - mpf(2) ** -53)
            scaled = x * (width + 1)
            offset = min(width, int(floor(scaled)))
            if 0 < offset < width:
                margin = min(margin, scaled - offset, offset + 1 - scaled)
            if allowed(start + offset, zone, only, avoid, calendars):
                chosen = start + offset
    return {
        "periodId": print_instant(nominal),
        "periodKey": key,
        "windowStart": print_instant(start),
        "windowEnd": print_instant(end),
        "seedHash": seed_hash,
        "chosenTime": None if chosen is None else print_instant(chosen),
        "attempts": attempts,
        **({"salt": salt} if "place" in job else {}),
        **({"fallback": fallback} if "weights" in job else {}),
    }, margin


MACROS = {"@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@yearly": "0 0 1 1 *"}


def field(text, first, last, names=()):
    values = set()
    for item in text.split(","):
        span, _, step = item.partition("/")
        ends = [first, last] if span == "*" else [number(part, list(names), first) for part in span.split("-")]
        values |= set(range(ends[0], ends[-1] + 1, int(step or 1)))
    return values


class Schedule:
    def __init__(self, text, zone):
        minute, hour, day, month, weekday = MACROS.get(text, text).split()
        self.zone = zone
        self.minutes, self.hours = field(minute, 0, 59), field(hour, 0, 23)
        self.days, self.months = field(day, 1, 31), field(month, 1, 12, MONTHS)
        self.weekdays = field(weekday, 0, 6, WEEKDAYS)
        self.either = day != "*" and weekday != "*"

    def has_day(self, day):
        by_day, by_weekday = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return day.month in self.months and (by_day or by_weekday if self.either else by_day and by_weekday)

    def occurs(self, seconds):
        local = local_time(seconds, self.zone)
        matches = local.second == 0 and local.minute in self.minutes and local.hour in self.hours
        return matches and self.has_day(local.date())

    def scan(self, start, step):
        """Every second of the days that can match, but only those that begin a local minute are looked at."""
        at = start
        while True:
            day = (datetime(1970, 1, 1) + timedelta(seconds=at)).date()
            if not any(self.has_day(day + timedelta(days=n)) for n in (-1, 0, 1)):
                at = (at // 86400 + 1) * 86400 if step > 0 else at // 86400 * 86400 - 1
                continue
            if self.occurs(at):
                yield at
            # Second by second only where the offset changes within the next minute.
            into = (at + self.offset(at)) % 60
            away = (60 - into if step > 0 else into or 60) if self.offset(at) == self.offset(at + 60 * step) else 1
            at += step * away

    def offset(self, seconds):
        return int(local_time(seconds, self.zone).utcoffset().total_seconds())


def periods(case):
    schedule = Schedule(case["schedule"], ZoneInfo(case["timezone"]))
    after = read_instant(case["after"])
    stream = schedule.scan(after + 1, 1)
    return {
        "prev": print_instant(next(schedule.scan(after, -1))),
        "next": [print_instant(next(stream)) for _ in range(6)],
    }


def answer(case):
    return (periods(case), mpf(1)) if "schedule" in case else decide(case)


def serve():
    """The protocol of the conformance kit: a line of JSON in, a line of JSON out."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["kind"] == "hello":
            reply = {"protocol": request["protocol"], "engine": "check.py"}
        else:
            try:
                reply = {"output": answer(request["input"])[0]}
            except (KeyError, AssertionError, ValueError) as error:
                reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **reply}), flush=True)
    return 0


def main(files):
    wrong, least = 0, mpf(1)
    for path in files:
        cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
        for case in cases:
            found, margin = answer(case["input"])
            least = min(least, margin)
            if found != case["expected"] or margin < MARGIN:
                wrong += 1
                print(f"{path.name}: {case['name']}\n  golden: {case['expected']}\n  found:  {found} (margin {mp.nstr(margin, 3)})")
        print(f"{path.name}: {len(cases)} cases")
    print(f"{wrong} differ; the closest place lies {mp.nstr(least, 3)} of a second from the next second")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--engine"]:
        sys.exit(serve())
    here = pathlib.Path(__file__).parent
    named = [pathlib.Path(name) for name in sys.argv[1:]]
    sys.exit(main(named or sorted(here.glob("*.json"))))
