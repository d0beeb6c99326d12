/**
 * Decisions in words: why nothing happens to a range or a node, and what the journal of the
 * managers notes. Only people read what is made here; nothing is decided by it. Start with {@link
 * io.parterre.manager.plan.explain.Explanation}.
 */
package io.parterre.manager.plan.explain;
