package io.parterre.deploy.local;

/** State of a node's process. */
public enum NodeState {
    RUNNING,
    /** Stopped by a signal: the process keeps its sockets and does nothing. */
    PAUSED,
    /** The process has ended, or was never started. */
    GONE
}
