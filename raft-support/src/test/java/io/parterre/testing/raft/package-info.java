/** What tests of Raft groups share. */
package io.parterre.testing.raft;
