/**
 * Access to package-private parts of Ratis 3.3.0's log, and nothing else: wakes log writers that
 * are to end. Each upgrade of Ratis has to check it again.
 */
package org.apache.ratis.server.raftlog.segmented;
