"""An independent reader of calendars: icalendar and dateutil from PyPI. Reads JSON lines {name, text}, prints {name, days, local, instants}."""
import json
import math
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from icalendar import Calendar

EPOCH = datetime(1970, 1, 1)
HORIZON = datetime(2100, 1, 1)
DAY = 86400


def seconds(naive):
    return int((naive - EPOCH).total_seconds())


def naive_of(value):
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return value.replace(tzinfo=None)


def instant(naive, zone):
    return int(naive.replace(tzinfo=zone, fold=0).timestamp())


def zone_of(value):
    return value.tzinfo if isinstance(value, datetime) else None


def in_zone(value, zone):
    """The clock reading of a value in the zone of its event."""
    if zone is not None and zone_of(value) is not None:
        return value.astimezone(zone).replace(tzinfo=None)
    return naive_of(value)


def values_of(event, name):
    found = event.get(name)
    if found is None:
        return []
    lists = found if isinstance(found, list) else [found]
    return [each.dt for one in lists for each in one.dts]


def starts_of(event, start, zone):
    global synchronized
    first = naive_of(start)
    starts = {first}
    rules = event.get('rrule')
    for rule in rules if isinstance(rules, list) else [rules] if rules else []:
        rule = dict(rule)
        until = HORIZON
        given = rule.pop('UNTIL', None)
        if given:
            given = given[0] if isinstance(given, list) else given
            until = in_zone(given, zone)
            if not isinstance(given, datetime) and isinstance(start, datetime):
                until += timedelta(days=1, seconds=-1)
            if not isinstance(start, datetime):
                until = until.replace(hour=0, minute=0, second=0)
        text = ';'.join('%s=%s' % (key, ','.join(str(each) for each in (value if isinstance(value, list) else [value]))) for key, value in rule.items())
        synchronized = synchronized and next(iter(rrulestr(text, dtstart=first)), None) == first
        for each in rrulestr(text, dtstart=first):
            if each > until or each >= HORIZON:
                break
            starts.add(each)
    for value in values_of(event, 'rdate'):
        starts.add(in_zone(value[0] if isinstance(value, tuple) else value, zone))
    for value in values_of(event, 'exdate'):
        if not isinstance(value, datetime) and isinstance(start, datetime):
            starts = {each for each in starts if each.date() != value}
        else:
            starts.discard(in_zone(value, zone))
    return sorted(each for each in starts if EPOCH <= each < HORIZON)


def add(event, starts, ranges):
    start = event['dtstart'].dt
    zone = zone_of(start)
    duration = event['duration'].dt if 'duration' in event else None
    end = event['dtend'].dt if 'dtend' in event else None
    for first in starts:
        if not isinstance(start, datetime):
            days = duration.days if duration is not None else (end - start).days if end is not None else 1
            day = seconds(first) // DAY
            ranges['days'].append((day, day + max(1, days) - 1))
            continue
        clock = (lambda naive: instant(naive, zone)) if zone is not None else seconds
        begin = clock(first)
        if duration is not None:
            finish = clock(first + timedelta(days=duration.days)) + duration.seconds if duration >= timedelta(0) else begin
        elif end is not None:
            finish = begin + int(end.timestamp() - start.timestamp()) if zone is not None else begin + int((end - start).total_seconds())
        else:
            finish = begin
        if finish > begin:
            ranges['instants' if zone is not None else 'local'].append((math.floor(begin / 60) * 60, math.ceil(finish / 60) * 60 - 1))


def union(ranges):
    joined = []
    for begin, finish in sorted(ranges):
        if joined and begin <= joined[-1][1] + 1:
            joined[-1][1] = max(joined[-1][1], finish)
        else:
            joined.append([begin, finish])
    return joined


def key_of(value):
    return instant(naive_of(value), zone_of(value)) if zone_of(value) is not None else seconds(naive_of(value))


def read(text):
    ranges = {'days': [], 'local': [], 'instants': []}
    events = [event for calendar in Calendar.from_ical(text, multiple=True) for event in calendar.walk('VEVENT')]
    changed = {}
    for event in events:
        if 'recurrence-id' in event:
            changed.setdefault(str(event.get('uid')), set()).add(key_of(event['recurrence-id'].dt))
    for event in events:
        if str(event.get('status', '')).upper() == 'CANCELLED':
            continue
        start = event['dtstart'].dt
        if 'recurrence-id' in event:
            add(event, [naive_of(start)], ranges)
            continue
        zone = zone_of(start)
        gone = changed.get(str(event.get('uid')), set())
        starts = [each for each in starts_of(event, start, zone) if (instant(each, zone) if zone is not None else seconds(each)) not in gone]
        add(event, starts, ranges)
    return {name: union(found) for name, found in ranges.items()}


for line in sys.stdin:
    given = json.loads(line)
    # RFC 5545 leaves open what a rule means that DTSTART itself does not satisfy.
    synchronized = True
    ranges = read(given['text'])
    print(json.dumps({'name': given['name'], 'synchronized': synchronized, **ranges}), flush=True)
