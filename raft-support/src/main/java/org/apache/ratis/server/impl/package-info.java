/**
 * Window into Ratis 3.3.0: reads what it keeps package-private, has a follower stand for election
 * in time, and keeps refused calls out of the lease. Holds nothing else, and has to be looked at
 * again with every new version of Ratis.
 */
package org.apache.ratis.server.impl;
