/**
 * Results as values, and as text for people and programs. No measuring here. Start with {@link
 * io.parterre.bench.report.Report}.
 */
package io.parterre.bench.report;
