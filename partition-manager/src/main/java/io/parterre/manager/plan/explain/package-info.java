/**
 * Explanations for people: why nothing happens to a range or a node, and the entries of the
 * managers' journal. Nothing is decided here. Start with {@link
 * io.parterre.manager.plan.explain.Explanation}.
 */
package io.parterre.manager.plan.explain;
