/**
 * What a manager does and knows only while it leads: reports of nodes, hints of leaders, watchers.
 * This is soft state: in memory, discarded when leadership ends, and rebuilt from the next reports.
 * One thread, the loop, owns all of it. The Raft group and gRPC queue work for it. Start with
 * {@link io.parterre.manager.lead.LeaderService}.
 */
package io.parterre.manager.lead;
