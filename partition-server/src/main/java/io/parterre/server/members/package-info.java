/**
 * What a node knows of the other members of a range: how far they are, which of them differ or have
 * lost entries, and what becomes of the range without this node. No I/O. Start with {@code
 * MemberProgress}.
 */
package io.parterre.server.members;
