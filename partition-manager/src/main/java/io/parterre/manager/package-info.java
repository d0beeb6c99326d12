/**
 * The partition manager: decides which node holds which range, and keeps the accounts. {@code map}
 * applies changes, {@code raft} replicates and stores them, {@code plan} decides, {@code lead} acts
 * while this manager leads, {@code rpc} serves calls. Start with {@link
 * io.parterre.manager.PartitionManager}.
 */
package io.parterre.manager;
