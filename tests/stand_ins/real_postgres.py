"""PostgreSQL as Debian ships it, on a free loopback port, with a database of its own."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from real_server import START_TIMEOUT_S, RealServer


class RealPostgres(RealServer):
    """A new, empty cluster of which nothing is synced to the disk; it is gone with `stop`."""

    program = "postgres"
    # Fast: a polite end would wait for every client to leave.
    ends_by = signal.SIGINT

    def __init__(self):
        super().__init__()
        self._bin = _programs()
        self._folder = Path(tempfile.mkdtemp(prefix="covan-postgres-"))
        self._user = {}
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            other = pwd.getpwnam("nobody")
            os.chown(self._folder, other.pw_uid, other.pw_gid)
            self._user = {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
        self._databases = 0

    def start(self):
        data = self._folder / "data"
        self._run(
            "initdb",
            "-D",
            str(data),
            "-U",
            "covan",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-locale",
            "--no-sync",
        )
        self._begin()

    def kill(self):
        """End it without a warning; its own processes notice, and end themselves."""
        self._process.kill()
        self._process.wait()

    def start_again(self):
        """Start it on the data that it had, once the processes of the killed one are gone."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                self._begin()
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return

    def _begin(self):
        place = ("-D", str(self._folder / "data"), "-p", str(self.port), "-h", "127.0.0.1")
        settings = ("-k", str(self._folder), "-c", "fsync=off", "-c", "max_connections=50")
        self._launch(str(self._bin / self.program), *place, *settings, cwd=self._folder, **self._user)

    def new_database(self):
        """The SQLAlchemy address of a new, empty database."""
        self._databases += 1
        name = f"covan{self._databases}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "covan", name)
        return f"postgresql://covan@127.0.0.1:{self.port}/{name}"

    @property
    def table_files(self):
        """The folder with the files of all tables, without the write-ahead log."""
        return self._folder / "data" / "base"

    def new_database_with_password(self, password):
        """The parts of the address of a new database: user, host with port, name. Its user needs the password."""
        name = self.new_database().rpartition("/")[2]
        quoted = password.replace("'", "''")
        self._sql(f"CREATE ROLE {name} LOGIN PASSWORD '{quoted}'")
        self._sql(f"GRANT ALL ON DATABASE {name} TO {name}")
        self._sql(f"ALTER DATABASE {name} OWNER TO {name}")
        rules = self._folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {name} 127.0.0.1/32 scram-sha-256\n" + rules.read_text())
        self._sql("SELECT pg_reload_conf()")
        return name, f"127.0.0.1:{self.port}", name

    def _sql(self, command):
        self._run(
            "psql",
            "-q",
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            "covan",
            "-d",
            "postgres",
            "-c",
            command,
        )

    def stop(self):
        super().stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program, *arguments):
        subprocess.run(
            [str(self._bin / program), *arguments],
            check=True,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            **self._user,
        )

    def _answers(self):
        asked = subprocess.run(
            [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "covan"],
            check=False,
        )
        return asked.returncode == 0


def _programs():
    """Debian keeps the server's programs apart from the path."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    newest = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    assert newest, "these tests need PostgreSQL, e.g.: sudo apt install postgresql"
    return newest[-1].parent
