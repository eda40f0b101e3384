"""The measurements of scripts/load-test."""

import os
import re
import resource
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

BINARY, FOLDER, SECONDS = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
# Bundled pages are small. PAGE=FILE measures another one (UTF-8), for example one of typical Web size.
PAGE = Path(os.environ.get("PAGE", "testdata/pages/news-html5/page.html")).read_bytes()
CORES = 2
# The program that does the work of `/extract` without a server.
LIBRARY = os.environ.get("LIBRARY", "")


class Server:
    """A server on its own port."""

    def __init__(self, *options, command=None):
        command = command or [BINARY, "serve", "--quiet", "--port", "0", "--threads", str(CORES), *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        self.address = re.search(r"http://([\d.:]+)/", line).group(1)
        self.host, port = self.address.split(":")
        self.port = int(port)

    def memory(self):
        """Resident memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024

    def cpu(self):
        """CPU seconds so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=30)

    def health(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}/api/v1/health", timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)


def cpu_of_children():
    """CPU seconds of the programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Load:
    """Results of wrk: requests per second, p99 in ms, number of responses by status, and its own CPU seconds."""

    def __init__(self, server, connections, seconds=SECONDS):
        lua = FOLDER / "post.lua"
        file = FOLDER / "page.html"
        file.write_bytes(PAGE)
        lua.write_text(
            f'wrk.method = "POST"\nwrk.body = io.open("{file}", "rb"):read("*all")\nwrk.headers["content-type"] = "text/html"\n'
            "local threads = {}\nfunction setup(thread) table.insert(threads, thread) end\n"
            "function init() ok = 0; refused = 0; other = 0 end\n"
            "function response(status) if status == 200 then ok = ok + 1 elseif status == 503 or status == 429 then refused = refused + 1 else other = other + 1 end end\n"
            "function done(summary, latency)\n local a, b, c = 0, 0, 0\n for _, t in ipairs(threads) do a = a + t:get('ok'); b = b + t:get('refused'); c = c + t:get('other') end\n"
            ' print(string.format("RESULT %d %d %d %f %d", a, b, c, latency:percentile(99) / 1000, summary.duration))\nend\n'
        )
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(lua), f"http://{server.address}/api/v1/extract"]
        wrk, own = cpu_of_children(), server.cpu()
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        ok, refused, other, p99, micros = re.search(r"RESULT (\d+) (\d+) (\d+) ([\d.]+) (\d+)", output).groups()
        self.ok, self.refused, self.other, self.p99 = int(ok), int(refused), int(other), float(p99)
        self.rate = self.ok / (int(micros) / 1e6)
        self.wrk_cpu, self.server_cpu = cpu_of_children() - wrk, server.cpu() - own


def library(seconds=SECONDS):
    """The record that the library writes, its pages per second with the same number of threads, and CPU seconds per page."""
    (FOLDER / "page.html").write_bytes(PAGE)
    cpu = cpu_of_children()
    output = subprocess.run([LIBRARY, str(FOLDER / "page.html"), str(CORES), str(seconds)], capture_output=True, text=True, check=True).stdout
    record, counts = output.splitlines()
    pages, elapsed = counts.split()
    return record, int(pages) / float(elapsed), (cpu_of_children() - cpu) / int(pages)


def extract(server):
    request = urllib.request.Request(f"http://{server.address}/api/v1/extract", data=PAGE, headers={"content-type": "text/html"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def speed(rounds=5):
    """The server compared with the library and with a minimal server, interleaved. Each figure is the median of its rounds."""
    bare, sockets = Server(command=[LIBRARY, "serve", str(CORES)]), Server(command=[LIBRARY, "sockets", str(CORES)])
    with Server() as server, bare, sockets:
        assert extract(server) == extract(bare) == library(1)[0], "the servers and the library do not do the same work"
        for connections in (8, 32):
            found = {"library": []}
            for number in range(rounds + 1):
                _, rate, cpu = library()
                measured = {"library": (rate, cpu * 1e6, 0, 0)}
                for name, one in {"server": server, "sockets and library alone": bare, "sockets alone": sockets}.items():
                    load = Load(one, connections)
                    measured[name] = (load.rate, load.server_cpu / load.ok * 1e6, load.p99, load.wrk_cpu / load.ok * 1e6)
                # The first round warms the caches.
                for name, values in measured.items() if number else []:
                    found.setdefault(name, []).append(values)
            median = {name: [sorted(column)[rounds // 2] for column in zip(*values)] for name, values in found.items()}
            own_rate, own_cpu, _, _ = median["library"]
            print(f"speed, page of {len(PAGE)} bytes, {connections} connections (medians of {rounds} rounds in turns; wrk is on the same cores)")
            for name, (rate, cpu, p99, wrk) in median.items():
                more = f", p99 {p99:.1f} ms; wrk itself {wrk:.0f} µs" if wrk else ""
                print(f"  {name}: {rate:.0f}/s ({rate / own_rate:.0%}), {cpu:.0f} µs CPU time each ({own_cpu / cpu:.0%}){more}")


def overload(bursts=4):
    """Repeated bursts of ten times as many connections as there are places: memory must not grow from one burst to the next."""
    with Server("--queue", "16") as server:
        Load(server, 8, 2)
        memory, answered, refused, other, slowest = [server.memory()], 0, 0, 0, 0
        for _ in range(bursts):
            load = Load(server, 400, max(2, SECONDS // bursts))
            memory.append(server.memory())
            answered, refused, other, slowest = answered + load.ok, refused + load.refused, other + load.other, max(slowest, load.p99)
        again = Load(server, 8, 3)
        print(f"overload, {bursts} times 400 connections: {answered} answered, {refused} refused with 503 or 429, {other} others, p99 {slowest:.0f} ms; memory {' -> '.join(f'{value:.0f}' for value in memory)} MB; then {again.rate:.0f} requests/s, {again.refused} refused")
        assert refused > 0 and other == 0 and again.ok > 0 and again.refused == 0
        assert memory[1] < memory[0] + 100 and memory[-1] < memory[1] + 20


def idle(count=10_000):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(count, hard - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 200), hard))
    with Server() as server:
        before, sockets, slowest = server.memory(), [], 0
        for number in range(count):
            sockets.append(server.connect())
            if number % 1000 == 999:
                start = time.monotonic()
                assert server.health() == 200
                slowest = max(slowest, time.monotonic() - start)
        print(f"idle connections: {count} opened, health answered within {slowest * 1000:.0f} ms all the time; memory {before:.0f} -> {server.memory():.0f} MB")
        for one in sockets:
            one.close()
        assert server.health() == 200


def slow():
    with Server("--timeout", "3") as server:
        before = server.memory()
        halves = []
        for number in range(300):
            one = server.connect()
            one.sendall(b"POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n" + b"x" * 1000 if number % 2 else b"POST /api/v1/ext")
            halves.append(one)
        start = time.monotonic()
        assert server.health() == 200
        first = time.monotonic() - start
        load = Load(server, 8, 4)
        print(f"300 half requests: health in {first * 1000:.0f} ms, {load.rate:.0f} requests/s beside them ({load.refused + load.other} not answered); memory {before:.0f} -> {server.memory():.0f} MB")
        assert load.ok > 0 and load.other == 0


def large():
    with Server() as server:
        before, statuses = server.memory(), []

        def send(chunked):
            one = server.connect()
            head = b"POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\n" + (b"transfer-encoding: chunked\r\n\r\n" if chunked else b"content-length: 1073741824\r\n\r\n")
            try:
                one.sendall(head)
                block = b"100000\r\n" + b"x" * 0x100000 + b"\r\n" if chunked else b"x" * 0x100000
                for _ in range(1024):
                    one.sendall(block)
            except OSError:
                pass
            try:
                statuses.append(one.recv(100).split(b" ")[1].decode())
            except (OSError, IndexError):
                statuses.append("closed")
            one.close()

        threads = [threading.Thread(target=send, args=(number % 2 == 0,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"bodies of 1 GB: {sorted(statuses)}; memory {before:.0f} -> {server.memory():.0f} MB")
        assert server.health() == 200 and set(statuses) <= {"413", "503", "closed"} and server.memory() < before + 300


PARTS = {part.__name__: part for part in (speed, overload, slow, large, idle)}
for name in sys.argv[4:] or PARTS:
    PARTS[name]()
