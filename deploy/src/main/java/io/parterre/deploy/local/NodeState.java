package io.parterre.deploy.local;

/** What a node's process is doing. */
public enum NodeState {
    RUNNING,
    /** Stopped by a signal: it holds its sockets and does nothing. */
    PAUSED,
    /** Ended, or never started. */
    GONE
}
