package io.parterre.deploy.config;

import io.parterre.range.NodeId;

/**
 * One partition manager of the cluster.
 *
 * @param id its lasting name
 * @param raft address at which the other managers reach its Raft server
 * @param service address at which servers, front ends and operators reach its service
 */
public record ManagerAddresses(String id, HostPort raft, HostPort service) {
    public ManagerAddresses {
        new NodeId(id);
        if (raft.port() == 0 || service.port() == 0) {
            throw new IllegalArgumentException("port: 0 (expected: a port that stays the same)");
        }
    }

    /** Parses the form of the environment: {@code id=host:port/host:port}, Raft first. */
    static ManagerAddresses parse(String text) {
        String[] parts = text.split("[=/]", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "'" + text + "' (expected: id=host:port/host:port, Raft's first)");
        }
        return new ManagerAddresses(
                parts[0].strip(), HostPort.parse(parts[1]), HostPort.parse(parts[2]));
    }

    @Override
    public String toString() {
        return id + "=" + raft + "/" + service;
    }
}
