/**
 * Window into Ratis 3.3.0's gRPC: reaches what it keeps package-private. Holds nothing else, and
 * has to be looked at again with every new version of Ratis.
 */
package org.apache.ratis.grpc.server;
