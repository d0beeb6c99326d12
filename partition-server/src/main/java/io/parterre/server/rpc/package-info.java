/**
 * RangeService: takes requests from streams, checks that they belong to a replica here, and answers
 * each exactly once. Reads run on bounded pools, commands go to the range's proposer. Start with
 * {@code RangeServer}.
 */
package io.parterre.server.rpc;
