package io.parterre.deploy;

/** Exit codes of the process; also in the help of the commands. */
public enum ExitCode {
    /** The command did what was asked; also for a server that was told to stop. */
    OK(0, "done, or stopped as told"),
    FAILED(1, "failed; the log says why"),
    /** picocli's own code for a wrong command line. */
    USAGE(2, "wrong command line or configuration"),
    /** The virtual machine's own code, by {@code -XX:+ExitOnOutOfMemoryError}. */
    OUT_OF_MEMORY(3, "the virtual machine ran out of memory"),
    DATA_DIR_IN_USE(4, "another process uses the data folder"),
    DATA_DIR_REFUSED(
            5,
            "the data folder is not ours, damaged or of a newer release; or the cluster is newer"),
    STORE_FAILED(6, "the disk failed: nothing more is acknowledged, nothing is lost"),
    CLUSTER_UNREACHABLE(7, "no partition manager that leads has answered in time"),
    REFUSED(8, "the cluster refused, and has changed nothing"),
    NOT_YET(9, "what was waited for has not come in time; it goes on"),
    ADDRESS_IN_USE(10, "cannot listen on an address");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    public String meaning() {
        return meaning;
    }
}
