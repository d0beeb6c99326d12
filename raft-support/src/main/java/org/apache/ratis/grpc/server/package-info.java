/**
 * Access to package-private parts of Ratis 3.3.0's gRPC transport, and nothing else. Each upgrade
 * of Ratis has to check it again.
 */
package org.apache.ratis.grpc.server;
