/**
 * A node's knowledge of the other members of a range: how far they are, which of them differ or
 * have lost entries, and whether the range goes on without this node. No I/O. Start with {@code
 * MemberProgress}.
 */
package io.parterre.server.members;
