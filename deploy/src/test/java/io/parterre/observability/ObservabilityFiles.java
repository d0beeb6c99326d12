package io.parterre.observability;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parterre.observability.ObservabilityList.Alert;
import io.parterre.observability.ObservabilityList.Dashboard;
import io.parterre.observability.ObservabilityList.Panel;
import io.parterre.observability.ObservabilityList.Series;
import io.parterre.observability.ObservabilityList.Variable;
import java.util.Map;
import java.util.TreeMap;

/** The files that a list gives. Stateless. */
final class ObservabilityFiles {
    /** Where run-books are, in the annotations of alerts. */
    private static final String RUNBOOKS = "docs/operations.md#";

    private static final String SELECTOR = "SELECTOR";
    private static final String PROCESS = "PROCESS";
    private static final int PANEL_WIDTH = 12;
    private static final int PANEL_HEIGHT = 8;

    /** Of the oldest Grafana that is meant to read them, 9. */
    private static final int SCHEMA = 37;

    private static final String WRITTEN =
            "# Written from deploy/observability/list.yaml; not to be edited.\n";

    private static final ObjectMapper JSON = new ObjectMapper();

    private ObservabilityFiles() {}

    /** Their texts by their paths in the tree. */
    static Map<String, String> of(ObservabilityList list) throws JsonProcessingException {
        Map<String, String> files = new TreeMap<>();
        files.put("deploy/kubernetes/parterre/files/alerts.yaml", chart(list));
        files.put("deploy/observability/rules.yaml", rules(list));
        for (Dashboard each : list.dashboards()) {
            String json = json(each);
            files.put("deploy/observability/dashboards/" + each.name() + ".json", json);
            // Templates of a chart read no file outside of it.
            files.put("deploy/kubernetes/parterre/files/dashboards/" + each.name() + ".json", json);
        }
        return files;
    }

    /** For the template of the chart, which knows the selector of its release. */
    private static String chart(ObservabilityList list) throws JsonProcessingException {
        StringBuilder text = new StringBuilder(WRITTEN);
        for (Alert each : list.alerts()) {
            line(text, "- name: ", each.name());
            line(text, "  expr: ", each.expr().replace(PROCESS, "pod"));
            line(text, "  for: ", each.duration());
            line(text, "  severity: ", each.severity());
            line(text, "  summary: ", each.summary().replace(PROCESS, "pod"));
            line(text, "  runbook: ", each.runbook());
        }
        return text.toString();
    }

    private static String rules(ObservabilityList list) throws JsonProcessingException {
        StringBuilder text = new StringBuilder(WRITTEN);
        text.append("groups:\n- name: parterre\n  rules:\n");
        for (Alert each : list.alerts()) {
            line(text, "  - alert: ", each.name());
            line(text, "    expr: ", plain(each.expr(), "job=~\"parterre.*\""));
            line(text, "    for: ", each.duration());
            text.append("    labels: {severity: ").append(each.severity()).append("}\n");
            text.append("    annotations:\n");
            line(text, "      summary: ", plain(each.summary(), ""));
            line(text, "      runbook: ", RUNBOOKS + each.runbook());
        }
        return text.toString();
    }

    private static String plain(String text, String selector) {
        return text.replace(SELECTOR, selector).replace(PROCESS, "instance");
    }

    private static void line(StringBuilder text, String key, String value)
            throws JsonProcessingException {
        text.append(key).append(JSON.writeValueAsString(value)).append('\n');
    }

    private static String json(Dashboard dashboard) throws JsonProcessingException {
        ObjectNode root = JSON.createObjectNode();
        root.put("uid", "parterre-" + dashboard.name());
        root.put("title", dashboard.title());
        root.putArray("tags").add("parterre");
        root.put("schemaVersion", SCHEMA);
        root.put("editable", true);
        root.put("refresh", "30s");
        root.put("graphTooltip", 1);
        root.putObject("time").put("from", "now-3h").put("to", "now");
        ArrayNode variables = root.putObject("templating").putArray("list");
        source(variables.addObject());
        jobs(variables.addObject());
        for (Variable each : dashboard.variables()) {
            query(variables.addObject(), each.name(), each.meter(), each.label());
        }
        ArrayNode panels = root.putArray("panels");
        for (Panel each : dashboard.panels()) {
            panel(panels.addObject(), each, panels.size() - 1);
        }
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        return JSON.writer(printer).writeValueAsString(root) + "\n";
    }

    private static void source(ObjectNode variable) {
        variable.put("name", "datasource").put("label", "Data source");
        variable.put("type", "datasource").put("query", "prometheus");
    }

    private static void jobs(ObjectNode variable) {
        query(variable, "job", "parterre_build_info", "job");
        variable.put("multi", true).put("includeAll", true);
        variable.putObject("current").put("text", "All").putArray("value").add("$__all");
    }

    private static void query(ObjectNode variable, String name, String meter, String label) {
        variable.put("name", name).put("type", "query").put("refresh", 2).put("sort", 1);
        variable.put("query", "label_values(" + meter + ", " + label + ")");
        variable.set("datasource", prometheus());
    }

    private static ObjectNode prometheus() {
        return JSON.createObjectNode().put("type", "prometheus").put("uid", "${datasource}");
    }

    private static void panel(ObjectNode node, Panel panel, int index) {
        node.put("id", index + 1).put("type", "timeseries").put("title", panel.title());
        node.set("datasource", prometheus());
        node.putObject("gridPos")
                .put("x", index % 2 * PANEL_WIDTH)
                .put("y", index / 2 * PANEL_HEIGHT)
                .put("w", PANEL_WIDTH)
                .put("h", PANEL_HEIGHT);
        ObjectNode fields = node.putObject("fieldConfig");
        fields.putObject("defaults").put("unit", panel.unit()).put("min", 0);
        fields.putArray("overrides");
        ObjectNode options = node.putObject("options");
        options.putObject("legend").put("displayMode", "list").put("placement", "bottom");
        options.putObject("tooltip").put("mode", "multi").put("sort", "desc");
        ArrayNode targets = node.putArray("targets");
        for (Series each : panel.series()) {
            ObjectNode target = targets.addObject();
            target.put("refId", Character.toString('A' + targets.size() - 1));
            target.put("expr", plain(each.expr(), "job=~\"$job\""));
            target.put("legendFormat", plain(each.legend(), ""));
        }
    }
}
