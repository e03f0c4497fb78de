"""Logs of known times: layouts alone and mixed, behind prefixes, with lines that are no records. Each is read in a window.

Wrong is a window with other lines than those of its records, with exit code 0 and without a notice.
"""

import datetime
import itertools
import json
import random

UTC = datetime.timezone.utc
BERLIN = datetime.timezone(datetime.timedelta(hours=1))
START = datetime.datetime(2026, 3, 3, 9, 50, 0, tzinfo=UTC)

# strftime, with {ms} and {us} for fractions, {epoch} and {epoch_ms}; the rest of the line follows after it.
LAYOUTS = {
    "rfc3339": "%Y-%m-%dT%H:%M:%SZ INFO",
    "rfc3339-ms": "%Y-%m-%dT%H:%M:%S.{ms}Z [main]",
    "rfc3339-offset": "%Y-%m-%dT%H:%M:%S.{us}+00:00 warn:",
    "iso-blank": "%Y-%m-%d %H:%M:%S INFO",
    "python": "%Y-%m-%d %H:%M:%S,{ms} - app - INFO -",
    "log4j": "%Y-%m-%d %H:%M:%S.{ms} [main] WARN  c.e.App -",
    "postgres": "%Y-%m-%d %H:%M:%S.{ms} UTC [71] LOG: ",
    "spring": "%Y-%m-%d %H:%M:%S.{ms}  INFO 1 --- [nio-1] o.App :",
    "ruby": "D, [%Y-%m-%dT%H:%M:%S.{us} #12] DEBUG -- :",
    "nginx-error": "%Y/%m/%d %H:%M:%S [error] 7#7: *1",
    "go": "%Y/%m/%d %H:%M:%S.{us} main.go:7:",
    "nginx-access": '10.0.0.1 - - [%d/%b/%Y:%H:%M:%S +0000] "GET / HTTP/1.1" 200',
    "apache-error": "[%a %b %d %H:%M:%S.{us} %Y] [core:notice] [pid 1]",
    "syslog-year": "%b %d %H:%M:%S %Y host app[1]:",
    "rfc5424": "<13>1 %Y-%m-%dT%H:%M:%S.{ms}Z host app 1 - -",
    "redis": "1:M %d %b %Y %H:%M:%S.{ms} *",
    "tomcat": "%d-%b-%Y %H:%M:%S.{ms} INFO [main] o.a.c",
    "klog-year": "I%Y%m%d %H:%M:%S.{us}       1 main.go:5]",
    "mysql8": "%Y-%m-%dT%H:%M:%S.{us}Z 0 [Note] [MY-1]",
    "mongodb": '{{"t":{{"$date":"%Y-%m-%dT%H:%M:%S.{ms}Z"}},"s":"I","msg":"m"}}',
    "json-time": '{{"time":"%Y-%m-%dT%H:%M:%S.{ms}Z","level":"info","msg":"m"}}',
    "json-msg-first": '{{"msg":"at 2020-01-01 00:00:00","level":"info","ts":"%Y-%m-%dT%H:%M:%SZ"}}',
    "json-epoch": '{{"level":"info","ts":{epoch}.{ms},"msg":"m"}}',
    "json-epoch-ms": '{{"@timestamp":{epoch_ms},"msg":"m"}}',
    "logfmt": "time=%Y-%m-%dT%H:%M:%SZ level=info msg=m",
    "logfmt-quoted": 'time="%Y-%m-%dT%H:%M:%S.{ms}Z" level=info msg=m',
    "docker-json": '{{"log":"m\\n","stream":"stdout","time":"%Y-%m-%dT%H:%M:%S.{us}000Z"}}',
    "cri": "%Y-%m-%dT%H:%M:%S.{us}000Z stdout F",
    "github": "%Y-%m-%dT%H:%M:%S.{us}0Z ##[group]",
    "epoch": "{epoch}.{ms} info",
    "squid": "{epoch}.{ms}     12 10.0.0.1 TCP_MISS/200",
    "auditd": "type=SYSCALL msg=audit({epoch}.{ms}:99):",
    "haproxy": "10.0.0.1:5000 [%d/%b/%Y:%H:%M:%S.{ms}] web",
    "bind": "%d-%b-%Y %H:%M:%S.{ms} queries: info:",
    "ctime": "%a %b %d %H:%M:%S %Y",
    "date": "%a %b %d %H:%M:%S UTC %Y",
    "rfc2822": "%a, %d %b %Y %H:%M:%S +0000",
    "javascript": "%a %b %d %Y %H:%M:%S GMT+0000 (UTC)",
    "compact": "%Y%m%dT%H%M%SZ",
    "hdfs-like": "%Y%m%d-%H:%M:%S.{ms} FIX",
    "unreal": "[%Y.%m.%d-%H.%M.%S:{ms}][  0]LogInit:",
    "dots": "%d.%m.%Y %H:%M:%S",
    "slow-log": "# Time: %Y-%m-%dT%H:%M:%S.{us}Z",
    "journal-full": "%a %Y-%m-%d %H:%M:%S UTC host app[1]:",
    "level-first": "INFO  %Y-%m-%d %H:%M:%S,{ms} c.e.App:",
    "thread-first": "[worker-{n}] %Y-%m-%d %H:%M:%S.{ms}",
}

# The text before each line of a service.
PREFIXES = {
    "none": "{line}",
    "compose": "{service:<10} | {line}",
    "kubectl": "[pod/{service}-7d9f8c6b5-x2z4q/{service}] {line}",
    "tab": "{service}\t{line}",
    "colon": "{service}: {line}",
    "arrow": "{service}> {line}",
}

BODIES = {
    "plain": [],
    "stack": ["java.io.IOException: x", "\tat a.B.c(B.java:12)", "Caused by: y"],
    "rows": ["('2020-01-01 00:00:00', 1),", "  2021-05-05,17,x"],
    "blank": ["", "    indented"],
}


def stamp(layout, time, n):
    text = LAYOUTS[layout].replace("{{", "{").replace("}}", "}")
    values = {
        "{ms}": f"{time.microsecond // 1000:03}",
        "{us}": f"{time.microsecond:06}",
        "{epoch}": str(int(time.timestamp())),
        "{epoch_ms}": str(int(time.timestamp() * 1000)),
        "{n}": str(n % 12),
    }
    for name, value in values.items():
        text = text.replace(name, value)
    return time.strftime(text)


def made(layouts, prefix, body, count, random_):
    """The lines, each with its record's time."""
    lines, time = [], START
    for n in range(count):
        # Records of seconds among those of fractions would be out of order.
        steps = [7, 250, 1500, 4000] if len(layouts) == 1 else [1000, 2000, 5000]
        time += datetime.timedelta(milliseconds=random_.choice(steps))
        service = n % len(layouts)
        layout = layouts[service]
        is_object = LAYOUTS[layout].startswith("{{")
        record = [stamp(layout, time, n) + ("" if is_object else f" message {n} of 10:20")]
        if body != "plain" and not is_object and n % 5 == 2:
            record += BODIES[body]
        # What a layout does not write is not in its times.
        seen = time
        if "{ms}" not in LAYOUTS[layout] and "{us}" not in LAYOUTS[layout] and layout != "json-epoch-ms":
            seen = time.replace(microsecond=0)
        elif "{us}" not in LAYOUTS[layout]:
            seen = time.replace(microsecond=time.microsecond // 1000 * 1000)
        for line in record:
            lines.append((PREFIXES[prefix].format(service=["web", "db", "worker-2"][service], line=line), seen))
    return lines


KNOWN = {}


def cases(seed=1):
    random_ = random.Random(seed)
    names = list(LAYOUTS)
    mixed = [[a, b] for a, b in zip(names, random_.sample(names, len(names))) if a != b]
    mixed += [random_.sample(names, 3) for _ in range(30)]
    number = 0
    for layouts in [[name] for name in names] + mixed:
        for prefix, body in itertools.product(PREFIXES, BODIES):
            # Without a prefix, one program writes a file.
            if len(layouts) > 1 and prefix == "none":
                continue
            count = random_.choice([12, 60, 400])
            lines = made(layouts, prefix, body, count, random_)
            number += 1
            name = f"{number}-{prefix}-{body}.log"
            KNOWN[name] = lines
            truth = "+".join(layouts) if len(layouts) == 1 else f"{len(layouts)} mixed"
            yield truth, name, "".join(line + "\n" for line, _ in lines).encode()


def kind(name):
    return name.split("-")[1]


def outcome(run, name, truth, content):
    lines = KNOWN.pop(name)
    times = sorted({time for _, time in lines})
    since, until = times[len(times) // 4], times[len(times) * 3 // 4]
    written = [time.strftime("%Y-%m-%dT%H:%M:%S.%fZ") for time in (since, until)]
    answer = run("lines", name, "--since", written[0], "--until", written[1], "--tz", "UTC", "--json")
    if answer.returncode != 0:
        return f"exit {answer.returncode}", "not evident"
    answer = json.loads(answer.stdout)
    segments = answer.get("segments", [answer])
    found = "".join(segment["content"] for segment in segments)
    facts = answer["metadata"]
    guess = facts.get("time", {}).get("format", "none")
    expected = "".join(line + "\n" for line, time in lines if since <= time < until)
    if found == expected:
        return guess, "right"
    return guess, "said" if facts.get("notices") else "wrong"
