/**
 * What a manager does and knows only while it leads: reports of nodes, hints of leaders, who
 * watches. Soft state, in memory, gone with leadership and rebuilt from the next reports. One
 * thread, the loop, owns all of it; the Raft group and gRPC hand it work. Start with {@link
 * io.parterre.manager.lead.LeaderService}.
 */
package io.parterre.manager.lead;
