/**
 * TLS of a process of the cluster: the certificate that it presents, the peers that it accepts on
 * each connection, and what operators see of both. Start with {@link
 * io.parterre.deploy.tls.ClusterTls}.
 */
package io.parterre.deploy.tls;
