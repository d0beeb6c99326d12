package io.parterre.manager.raft;

import java.io.IOException;

/**
 * Ratis has ended this replica by itself, as it does when the other members say that it is no
 * member.
 */
public final class GroupEndedException extends IOException {
    GroupEndedException() {
        super("the managers' Raft group stopped by itself");
    }
}
