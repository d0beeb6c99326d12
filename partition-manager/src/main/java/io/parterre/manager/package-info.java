/**
 * The partition manager: which node holds which range, and who may call at all. {@code map} says
 * what a change does, {@code raft} makes it last, {@code plan} decides, {@code lead} acts while
 * this manager leads, {@code rpc} talks. Start with {@link io.parterre.manager.PartitionManager}.
 */
package io.parterre.manager;
