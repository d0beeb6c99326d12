/**
 * How the front end's configurations check themselves: all their problems are reported at once.
 * Pure. What the settings are is the business of the packages that they configure. Start with
 * {@link io.parterre.frontend.config.Problems}.
 */
package io.parterre.frontend.config;
