/**
 * The ManagerService and the AdminService on gRPC: messages become values for {@code lead}, answers
 * become messages or statuses. Nothing is decided here. Start with {@link
 * io.parterre.manager.rpc.PartitionManagerService}.
 */
package io.parterre.manager.rpc;
