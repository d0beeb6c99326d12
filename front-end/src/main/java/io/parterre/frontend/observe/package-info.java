/**
 * What operators see of single requests: a line for each in the request log, a line for those that
 * took long, meters by account, and spans. Notes are taken on the event loops; lines are written by
 * a thread of their own, and dropped where it cannot keep up. Start with {@link
 * io.parterre.frontend.observe.Observation}.
 */
package io.parterre.frontend.observe;
