package io.parterre.observability;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The list of alerts and dashboards, {@code deploy/observability/list.yaml}. */
record ObservabilityList(List<Alert> alerts, List<Dashboard> dashboards) {
    /**
     * An alert.
     *
     * @param duration for which the expression has to hold
     * @param runbook section of docs/operations.md
     */
    record Alert(
            String name,
            String expr,
            @JsonProperty("for") String duration,
            String severity,
            String summary,
            String runbook) {}

    record Dashboard(String name, String title, List<Variable> variables, List<Panel> panels) {}

    /** What the reader of a dashboard chooses: one of the values that a label of a meter has. */
    record Variable(String name, String meter, String label) {}

    /**
     * A panel.
     *
     * @param unit as Grafana names it
     */
    record Panel(String title, String unit, List<Series> series) {}

    record Series(String expr, String legend) {}

    static ObservabilityList read(Path file) throws IOException {
        return YAMLMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .build()
                .readValue(file.toFile(), ObservabilityList.class);
    }
}
