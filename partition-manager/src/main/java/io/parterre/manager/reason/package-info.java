/**
 * Why something is done, left, refused or ended, as a code with arguments: one mechanism for
 * refusals to operators, decisions and the journal. {@code ReasonText} makes the sentence where a
 * reason leaves the manager or is logged; sentences are not replicated. Pure: no I/O. Start with
 * {@link io.parterre.manager.reason.ReasonCode}.
 */
package io.parterre.manager.reason;
