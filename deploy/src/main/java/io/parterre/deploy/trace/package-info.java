/** Records spans and sends them to a collector, if traces are configured. */
package io.parterre.deploy.trace;
