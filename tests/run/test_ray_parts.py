"""Parts that are scored by actors of Ray, whatever happens to actors, nodes and the driver."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from rigged_measures import Rigged

from tricolore import evaluate
from tricolore.api.evaluate import Evaluation
from tricolore.errors import TricoloreError, Unavailable
from tricolore.run.ray_parts import RayParts
from tricolore.run.ray_session import RayNode, local_settings, loopback

pytest.importorskip("ray", reason="the package ray is not installed (tricolore[ray])")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="these tests look at processes of Linux"),
    pytest.mark.filterwarnings("default"),  # Ray has warnings of its own
]
ROWS, PART_ROWS, PARTS, POISONED = 24, 6, 4, 15
PATIENCE = 120.0
Contents = dict[str, bytes]


@pytest.fixture(scope="module")
def head() -> Iterator[RayNode]:
    """One Ray for all tests of this module, to which this process is connected."""
    with local_settings(), RayNode.head(2) as node:
        import ray

        with loopback(ray):
            node.connect(ray)
            try:
                yield node
            finally:
                ray.shutdown()


class RayBench:
    """A folder with an input of 4 parts, and a measure that does what a file says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rig = folder / "rig"
        self.rig.mkdir()
        self.input = folder / "in.jsonl"
        self.write({POISONED})

    def write(self, poisoned: set[int]) -> None:
        rows = [
            {
                "doc_id": f"d{at}",
                "source": f"The cat number {at} sat on mat {at} and saw {at % 7} dogs.",
                "summary": f"Cat {at} sat on {'poison' if at in poisoned else 'mat'} {at}.",
            }
            for at in range(1, ROWS + 1)
        ]
        self.input.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def set(self, fault: str) -> None:
        (self.rig / "fault").write_text(fault)

    def score(self, engine: RayParts | None = None, output: str = "out") -> Evaluation:
        measures = [Rigged(folder=str(self.rig)), "coverage"]
        where = f"{self.folder / output}/"
        return evaluate(self.input, measures, output=where, part_rows=PART_ROWS, engine=engine)

    def contents(self, output: str = "out") -> Contents:
        return {path.name: path.read_bytes() for path in (self.folder / output).iterdir()}

    def rows(self) -> list[dict[str, Any]]:
        paths = sorted((self.folder / "out").glob("part-*.parquet"))
        return [row for path in paths for row in pq.read_table(path).to_pylist()]

    def undisturbed(self) -> Contents:
        """What the engine of this process writes."""
        (self.rig / "fault").unlink(missing_ok=True)
        self.score(output="undisturbed")
        return self.contents("undisturbed")

    def reached(self, count: int = 1) -> list[int]:
        """Wait until so many processes are at a poisoned row."""
        wait_until(lambda: len([*self.rig.glob("pid-*")]) >= count)
        return [int(path.name[4:]) for path in self.rig.glob("pid-*")]

    def check_only_the_poisoned_row(self, problem: str) -> None:
        found = self.rows()
        assert [row["row"] for row in found] == list(range(1, ROWS + 1))
        bad = found[POISONED - 1]
        assert problem in bad["problem"]
        assert bad["coverage"] is not None
        [label] = [name for name in bad if name.startswith("rigged")]
        assert [row["row"] for row in found if row[label] is None] == [POISONED]
        now, wanted = self.contents(), self.undisturbed()
        other = {name for name in now if now[name] != wanted[name]}
        assert other == {"manifest.json", "part-00002.parquet"}


@pytest.fixture
def bench(tmp_path: Path) -> RayBench:
    return RayBench(tmp_path)


def wait_until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def is_alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def in_thread(work: Callable[[], Any]) -> Any:
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(1)
    future = pool.submit(work)
    pool.shutdown(wait=False)
    return future


def test_the_same_bytes_as_without_ray(head: RayNode, bench: RayBench) -> None:
    done = bench.score(RayParts(2))
    assert done.summary.rows == ROWS
    assert done.summary.parts == PARTS
    assert bench.contents() == bench.undisturbed()
    assert len(bench.contents()) == PARTS + 1


def test_an_error_of_an_actor_ends_the_run(head: RayNode, bench: RayBench) -> None:
    """The input has changed when an actor begins its last part; the error is one of ours."""
    bench.set("gate")
    future = in_thread(lambda: bench.score(RayParts(1)))
    bench.reached()
    bench.input.write_text("changed")
    (bench.rig / "open").touch()
    with pytest.raises(TricoloreError, match=r"in\.jsonl"):
        future.result(PATIENCE)


@pytest.mark.fault(
    injected="an actor of Ray is killed (SIGKILL) while it scores a part",
    outcome="another actor scores the part again; the output is as if nothing had happened",
)
def test_an_actor_that_is_killed(head: RayNode, bench: RayBench) -> None:
    bench.set("kill once")
    bench.score(RayParts(2))
    assert (bench.rig / "once").exists(), "nothing was killed"
    assert bench.contents() == bench.undisturbed()


@pytest.mark.fault(
    injected="a row kills every process of Ray that scores it",
    outcome="the row gets a problem, all others a score, each once",
)
def test_a_row_that_kills_its_actor(head: RayNode, bench: RayBench) -> None:
    bench.set("kill")
    bench.score(RayParts(2))
    assert len([*bench.rig.glob("pid-*")]) >= 2
    bench.check_only_the_poisoned_row("was killed by SIGKILL")


@pytest.mark.fault(
    injected="a measure hangs on a row that an actor of Ray scores, with `--timeout`",
    outcome="the row gets a problem, all others a score, each once",
)
def test_a_measure_that_hangs_in_an_actor(head: RayNode, bench: RayBench) -> None:
    bench.set("hang")
    bench.score(RayParts(2, timeout=6))
    bench.check_only_the_poisoned_row("took longer than 6 s")


@pytest.mark.fault(
    injected="a row needs more memory than an actor of Ray may have (RLIMIT_AS)",
    outcome="the row gets a problem, all others a score, each once",
)
def test_an_actor_that_runs_out_of_memory(head: RayNode, bench: RayBench) -> None:
    bench.set("memory")
    bench.score(RayParts(2))
    bench.check_only_the_poisoned_row("emory")


DRIVER = """
import sys
from rigged_measures import Rigged
from tricolore import evaluate
from tricolore.run.ray_parts import RayParts
folder, address = sys.argv[1:]
measures = [Rigged(folder=folder + "/rig"), "coverage"]
engine = RayParts(1, address=address)
done = evaluate(folder + "/in.jsonl", measures, output=folder + "/out/", part_rows=6, engine=engine)
print(done.summary.parts_before, done.summary.parts)
"""


@pytest.mark.fault(
    injected="the driver of a run on a Ray cluster is killed (SIGKILL) and started again",
    outcome="its actors end; finished parts stay as they are, only the others are scored, and the "
    "output is as if nothing had happened",
)
def test_a_driver_that_is_killed(head: RayNode, bench: RayBench) -> None:
    bench.set("gate")
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", DRIVER, str(bench.folder), head.address]
    driver = subprocess.Popen(command, env=environment)
    try:
        [actor] = bench.reached()
        wait_until(lambda: (bench.folder / "out" / "part-00001.parquet").exists())
    finally:
        driver.kill()
        driver.wait()
    wait_until(lambda: not is_alive(actor))
    kept = {path.name: path.stat().st_ino for path in (bench.folder / "out").glob("part-*")}
    assert kept.keys() == {"part-00000.parquet", "part-00001.parquet"}
    (bench.rig / "open").touch()
    done = bench.score(RayParts(1))
    assert done.summary.parts_before == 2
    now = {name: (bench.folder / "out" / name).stat().st_ino for name in kept}
    assert now == kept, "finished parts were written again"
    assert bench.contents() == bench.undisturbed()


@pytest.mark.fault(
    injected="a node of a Ray cluster is killed (SIGKILL of all its processes) while it scores",
    outcome="its parts are scored again on another node; the output is as if nothing had happened",
)
def test_a_node_that_is_killed(head: RayNode, bench: RayBench) -> None:
    import ray

    bench.write({1, 7, 13, 19})  # one row of every part
    bench.set("gate")
    with head.another(2) as node:
        wait_until(lambda: ray.cluster_resources().get("CPU") == 4)
        future = in_thread(lambda: bench.score(RayParts(4)))
        actors = bench.reached(4)
        lost = [each for each in actors if ancestors(each) & {node.process.pid}]
        assert len(lost) == 2, "two actors are on the node"
        for process in tree(node.process.pid):
            os.kill(process, signal.SIGKILL)
        (bench.rig / "open").touch()
        future.result(PATIENCE)
        assert len(bench.reached()) > 4, "no part was scored again"
    assert bench.contents() == bench.undisturbed()


def parents() -> dict[int, int]:
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            found[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found


def ancestors(process: int) -> set[int]:
    above, found = parents(), set()
    while process in above:
        process = above[process]
        found.add(process)
    return found


def tree(process: int) -> list[int]:
    return [process, *(each for each in parents() if process in ancestors(each))]


def test_a_cluster_that_is_not_there(bench: RayBench) -> None:
    program = (
        "from tricolore import evaluate; from tricolore.run.ray_parts import RayParts\n"
        f"evaluate({str(bench.input)!r}, 'coverage', output={str(bench.folder / 'out')!r} + '/',"
        " engine=RayParts(address='127.0.0.1:9'))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "Unavailable: there is no Ray cluster at 127.0.0.1:9" in done.stderr.replace(
        "tricolore.errors.", ""
    )


def test_wrong_numbers() -> None:
    with pytest.raises(TricoloreError, match="whole number from 0, not -1"):
        RayParts(-1)
    with pytest.raises(TricoloreError, match="above 0"):
        RayParts(timeout=0)


def test_ray_is_missing(bench: RayBench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Unavailable, match=r"pip install 'tricolore\[ray\]'"):
        bench.score(RayParts(1))


def test_the_command_starts_and_ends_ray(bench: RayBench) -> None:
    """Ray starts with the command and ends with it, and is not heard of."""
    command = [sys.executable, "-m", "tricolore", "score", bench.input, "-m", "coverage"]
    command += [
        "-o",
        f"{bench.folder / 'out'}/",
        "--engine",
        "ray",
        "--jobs",
        "2",
        "--cache",
        "off",
    ]
    environment = {**os.environ, "TRICOLORE_TEST_MARK": str(bench.folder)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "1 part finished" in done.stdout
    assert "ray" not in done.stderr.lower()
    wait_until(lambda: not marked(str(bench.folder)), 20)


@pytest.mark.fault(
    injected="Ctrl-C in a terminal (SIGINT to all processes) while the command's own Ray scores",
    outcome="exit code 130 and a line that says how to go on; Ray ends, finished parts stay, and "
    "the output of the rerun is as if nothing had happened",
)
def test_ctrl_c_in_a_run_that_started_ray(bench: RayBench) -> None:
    bench.input.write_text(bench.input.read_text() * 500)
    words = [sys.executable, "-m", "tricolore", "score", str(bench.input), "-m", "coverage,density"]
    words += ["--part-rows", "200", "--cache", "off", "-o"]
    stopped, whole = (bench.folder / name for name in ("stopped", "whole"))
    driver = subprocess.Popen(
        [*words, f"{stopped}/", "--engine", "ray", "--jobs", "2"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TRICOLORE_TEST_MARK": str(bench.folder)},
        start_new_session=True,
    )
    wait_until(lambda: finished_parts(stopped) > 0)
    os.killpg(driver.pid, signal.SIGINT)
    _, err = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 130, err
    assert "the same command goes on where it was" in err
    assert "Traceback" not in err
    wait_until(lambda: not marked(str(bench.folder)), 20)
    finished = finished_parts(stopped)
    assert 0 < finished < 60
    for output in (stopped, whole):
        done = subprocess.run([*words, f"{output}/"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (f"{finished} of 60 parts are finished" in done.stderr) == (output == stopped)
    assert bench.contents("stopped") == bench.contents("whole")


def finished_parts(output: Path) -> int:
    """Those in the manifest; a file that is not yet noted there is scored again."""
    manifest = output / "manifest.json"
    parts = json.loads(manifest.read_text())["parts"] if manifest.exists() else []
    return sum(bool(part.get("finished")) for part in parts)


def marked(mark: str) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (place / "environ").read_bytes() and is_alive(int(place.name)):
                found.append(int(place.name))
        except OSError:
            continue
    return found
