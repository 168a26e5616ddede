"""`polhode report`, `view` and `export` as commands: what they write, what they refuse. What the page shows is tested in web/tests."""

import csv
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import urllib.request

import h5py
import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLHODE = pathlib.Path(os.environ.get("POLHODE_BUILD", ROOT / "build/release")).absolute() / "polhode"
OK, RUN_FAILED, BAD_INPUT = 0, 1, 2


def polhode(*words, cwd=None):
    return subprocess.run([POLHODE, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("view")
    assert polhode("run", ROOT / "models/bricard.json", "-q", "--end-time", "0.5", cwd=folder).returncode == OK
    return folder


def test_a_report_is_one_file_that_asks_for_nothing(folder):
    done = polhode("report", "bricard.h5", cwd=folder)
    assert done.returncode == OK and "Report: bricard.html" in done.stdout, done.stderr
    html = (folder / "bricard.html").read_text()
    assert html.startswith("<!doctype html>") and len(html) < 2e6
    assert not re.search(r'(src|href)\s*=\s*"?(https?:)?//', html)  # nothing is loaded from elsewhere
    assert "default-src 'none'" in html
    assert re.search(r'id="polhode-data">[A-Za-z0-9+/]{1000,}={0,2}</script>', html)


def test_what_is_no_result_is_refused(folder, tmp_path):
    (tmp_path / "text.h5").write_text("no result")
    for words in (["report"], ["view", "--no-browser"], ["export", "--to", "gltf"]):
        for result in ("missing.h5", "text.h5"):
            done = polhode(*words, result, cwd=tmp_path)
            assert done.returncode == RUN_FAILED and result in done.stderr and done.stdout == ""
    assert not list(tmp_path.glob("*.html")) and not list(tmp_path.glob("*.glb"))


@pytest.mark.parametrize("words", [("report",), ("report", "bricard.h5", "--frames", "1"), ("export", "bricard.h5"),
                                   ("export", "bricard.h5", "--to", "obj"), ("export", "bricard.h5", "--to", "vtk", "-o", "x.vtp"),
                                   ("export", "bricard.h5", "--to", "gltf", "--channels", "energy"),
                                   ("export", "bricard.h5", "--to", "csv", "--frames", "10"), ("run", "m.json", "--view", "-o", "none")])
def test_what_makes_no_sense_is_refused(words, folder):
    (folder / "m.json").write_text((ROOT / "models/pendulum.json").read_text())
    done = polhode(*words, cwd=folder)
    assert done.returncode == BAD_INPUT and done.stderr + done.stdout


def test_a_table_has_the_recorded_numbers_to_the_last_bit(folder):
    done = polhode("export", "bricard.h5", "--to", "csv", "--channels", "rod3.position,energy", cwd=folder)
    assert done.returncode == OK and "bricard.csv" in done.stdout
    with open(folder / "bricard.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with h5py.File(folder / "bricard.h5") as result:
        n = int(result["progress"][()])
        assert len(rows) == n
        assert [float(rows[-1][f"rod3.position.{c}"]) for c in "xyz"] == list(result["bodies/position"][n - 1, 2])
    wrong = polhode("export", "bricard.h5", "--to", "csv", "--channels", "rod7", cwd=folder)
    assert wrong.returncode == BAD_INPUT and "rod7" in wrong.stderr


def test_both_forms_of_gltf_hold_the_same(folder):
    for name in ("b.glb", "b.gltf"):
        assert polhode("export", "bricard.h5", "--to", "gltf", "--frames", "20", "-o", name, "-q", cwd=folder).returncode == OK
    binary = (folder / "b.glb").read_bytes()
    assert binary[:4] == b"glTF" and int.from_bytes(binary[8:12], "little") == len(binary)
    length = int.from_bytes(binary[12:16], "little")
    inside, text = json.loads(binary[20:20 + length]), json.loads((folder / "b.gltf").read_text())
    assert text["buffers"][0].pop("uri").startswith("data:application/octet-stream;base64,")
    assert inside == text
    assert {"rod1", "rod2", "rod3", "rod4", "rod5"} <= {node.get("name") for node in inside["nodes"]}


def test_the_viewer_serves_the_recorded_numbers_and_ends_when_told(folder):
    process = subprocess.Popen([POLHODE, "view", "bricard.h5", "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        address = process.stdout.readline().split()[0]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", address)
        status = json.load(urllib.request.urlopen(address + "status"))
        data = urllib.request.urlopen(address + "data").read()
        assert data[:4] == b"PLHV"
        length = int.from_bytes(data[8:12], "little")
        header = json.loads(data[16:16 + length])
        place = header["runs"][0]["frames"]["position"]
        start = (16 + length + 7) // 8 * 8 + place["offset"]
        position = numpy.frombuffer(data[start:start + 4 * place["count"]], dtype="<f4").reshape(-1, 5, 3)
        with h5py.File(folder / "bricard.h5") as result:
            n = int(result["progress"][()])
            assert status == [{"samples": n, "planned": n, "complete": True, "running": False, "status": "complete"}]
            assert numpy.array_equal(position, result["bodies/position"][:n].astype("<f4"))
        taken = polhode("view", "bricard.h5", "--no-browser", "--port", re.search(r":(\d+)/", address).group(1), cwd=folder)
        assert taken.returncode == RUN_FAILED and "in use" in taken.stderr
    finally:
        process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == OK


@pytest.fixture
def server(folder):
    process = subprocess.Popen([POLHODE, "view", "bricard.h5", "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=folder)
    _, port, path = re.match(r"http://(127\.0\.0\.1):(\d+)(/[0-9a-f]{32}/)", process.stdout.readline()).groups()
    yield process, int(port), path
    process.terminate()
    assert process.wait(timeout=20) == OK


def answer(port, target, *hosts, method="GET"):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        lines = [f"{method} {target} HTTP/1.1", *(f"Host: {host}" for host in hosts or (f"127.0.0.1:{port}",)), "", ""]
        client.sendall("\r\n".join(lines).encode())
        out = b""
        while part := client.recv(1 << 16):
            out += part
    return int(out.split()[1]), out


def test_who_does_not_know_the_token_learns_nothing(server, folder):
    process, port, path = server
    wrong = "/" + path[1:-1][::-1] + "/"
    for target in ("/", "/data", "/status", path[:-1], path[:-2] + "/data", wrong, wrong + "data", "//" + path[1:] + "data", f"http://127.0.0.1:{port}/data",
                   "/data?token=" + path[1:-1], path.upper() + "data" if path.upper() != path else "/"):
        status, text = answer(port, target)
        assert status == 403 and b"PLHV" not in text and path[1:-1].encode() not in text, target
    assert answer(port, path + "data")[0] == 200 and answer(port, path)[0] == 200
    assert answer(port, path + "../data")[0] == 404


def test_every_server_has_a_token_of_its_own(folder):
    addresses = set()
    for _ in range(3):
        process = subprocess.Popen([POLHODE, "view", "bricard.h5", "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=folder)
        addresses.add(process.stdout.readline().split("/")[3])
        process.terminate()
        process.wait(timeout=20)
    assert len(addresses) == 3


def test_a_request_names_one_host(server):
    process, port, path = server
    own = f"127.0.0.1:{port}"
    for hosts, status in (((own,), 200), ((own, "evil.example"), 400), (("evil.example", own), 400), ((own, own), 400), (("evil.example",), 421)):
        assert answer(port, path + "data", *hosts)[0] == status, hosts


def memory(process):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024


def test_clients_that_do_not_read_share_one_body(tmp_path):
    assert polhode("run", ROOT / "models/pendulum.json", "-q", "--step", "1e-4", "--output-step", "1e-4", "--end-time", "10", "-o", "wide.h5",
                   cwd=tmp_path).returncode == OK
    process = subprocess.Popen([POLHODE, "view", "wide.h5", "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    port, path = re.match(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]+/)", process.stdout.readline()).groups()
    try:
        size = len(answer(int(port), path + "data")[1])
        before = memory(process)
        clients = []
        for _ in range(100):
            clients.append(socket.create_connection(("127.0.0.1", int(port)), timeout=20))
            clients[-1].sendall(f"GET {path}data HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        for client in clients:
            assert client.recv(1) == b"H"  # it has been answered
        assert size > 4e6 and memory(process) - before < 5 * size / 1e6
        for client in clients:
            client.close()
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_few_files_are_enough_for_many_clients(folder):
    process = subprocess.Popen([POLHODE, "view", "bricard.h5", "--no-browser"], stdout=subprocess.PIPE, text=True, cwd=folder,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48)))
    port, path = re.match(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]+/)", process.stdout.readline()).groups()
    clients = [socket.create_connection(("127.0.0.1", int(port)), timeout=20) for _ in range(100)]
    try:
        assert answer(int(port), path + "status")[0] == 200
    finally:
        for client in clients:
            client.close()
        process.terminate()
        process.wait(timeout=20)
