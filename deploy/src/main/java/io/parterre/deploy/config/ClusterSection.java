package io.parterre.deploy.config;

import java.util.List;

/** Keys that are the same for every process of a cluster. */
public record ClusterSection(ManagerList managers) {
    static final ClusterSection DEFAULT = new ClusterSection(new ManagerList(List.of()));
}
