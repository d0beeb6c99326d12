/**
 * Why something is done, left, refused or over, as a code with arguments: one mechanism for what
 * operators are refused, for decisions and for the journal. {@code ReasonText} makes the sentence,
 * where a reason leaves the manager or is logged; none is replicated. Pure: no I/O. Start with
 * {@link io.parterre.manager.reason.ReasonCode}.
 */
package io.parterre.manager.reason;
