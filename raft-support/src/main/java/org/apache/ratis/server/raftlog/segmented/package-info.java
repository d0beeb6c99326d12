/**
 * Window into Ratis 3.3.0: ends the threads that write logs in time. Holds nothing else, and has to
 * be looked at again with every new version of Ratis.
 */
package org.apache.ratis.server.raftlog.segmented;
