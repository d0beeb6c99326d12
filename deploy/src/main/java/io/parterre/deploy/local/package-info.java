/**
 * Clusters of processes on this machine, for development and tests: settings and ports chosen once,
 * processes started, signalled and observed. Nothing here is part of a role. Start with {@link
 * io.parterre.deploy.local.LocalCluster}.
 */
package io.parterre.deploy.local;
