/**
 * TLS of a process of the cluster: which certificate it shows, whom it accepts on which connection,
 * and what operators see of it. Start with {@link io.parterre.deploy.tls.ClusterTls}.
 */
package io.parterre.deploy.tls;
