/**
 * Complete processes: each role has one class that starts it, whether alone in its process or with
 * the others, whose gRPC then runs within the process. Start with {@link
 * io.parterre.deploy.node.EmbeddedNode} and {@link io.parterre.deploy.node.ClusterNode}.
 */
package io.parterre.deploy.node;
