/**
 * Access to package-private parts of Ratis 3.3.0's server, and nothing else: reads its state, makes
 * followers candidates in time, and keeps refused calls out of the lease. Each upgrade of Ratis has
 * to check it again.
 */
package org.apache.ratis.server.impl;
