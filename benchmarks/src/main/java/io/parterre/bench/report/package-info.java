/**
 * Results as values, and as text for people and programs. Nothing is measured here. Start with
 * {@link io.parterre.bench.report.Report}.
 */
package io.parterre.bench.report;
