/**
 * All roles in one process, wired as they would be over a network, only that gRPC runs within the
 * process. A cluster is this with more processes; nothing here takes a short cut past a role. Start
 * with {@link io.parterre.deploy.embedded.EmbeddedNode}.
 */
package io.parterre.deploy.embedded;
